/** The languages that the server speaks. */
export const LANGUAGES = ["gadget", "stf", "custom-blocks"] as const;
