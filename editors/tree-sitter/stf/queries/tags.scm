(message
  (message_command
    (command_name) @name)) @definition.class

(raw_message
  (raw_command
    (command_name) @name)) @definition.class
