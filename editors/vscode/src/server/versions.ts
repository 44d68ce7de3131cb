/** The minor versions of Python 3 that the bundled server runs with. */
export const OLDEST = 11;
export const NEWEST = 14;
export const VERSIONS = `3.${OLDEST} to 3.${NEWEST}`;
