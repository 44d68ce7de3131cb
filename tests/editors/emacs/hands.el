;; Keys of a person's Emacs for the tests: F11 opens a file at a place, F12 reports the text, F9 undoes all.  -*- lexical-binding: t -*-
(require 'json)

;; rectangles would need a compiler
(setq native-comp-enable-subr-trampolines nil)

(defvar hands-folder (getenv "LLMBLOCKS_HANDS"))

(defun hands-tell (&rest told)
  "Write TOLD, a plist, to a file that the test waits for."
  (let ((file (expand-file-name "told" hands-folder)) (coding-system-for-write 'utf-8-unix))
    (with-temp-file (concat file ".new")
      (insert (decode-coding-string (json-serialize told) 'utf-8)))
    (rename-file (concat file ".new") file t)))

(defun hands-open ()
  "Open the file that the test asks for, at an offset."
  (interactive)
  (let ((asked (with-temp-buffer
                 (insert-file-contents (expand-file-name "asked" hands-folder))
                 (json-parse-buffer :object-type 'plist))))
    (let ((inhibit-message t)) (find-file (plist-get asked :file)))
    (goto-char (1+ (plist-get asked :offset)))
    (hands-tell :opened t)))

(defun hands-look ()
  "Report the text before and after point, once all requests are answered."
  (interactive)
  (when (bound-and-true-p llmblocks-client)
    (while (and (derived-mode-p 'llmblocks-mode) (not (eglot-current-server)))
      (accept-process-output nil 0.01))
    (when (eglot-managed-p)
      (eglot--request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
  (let ((newline (if (eq (coding-system-eol-type buffer-file-coding-system) 1) "\r\n" "\n")))
    (hands-tell :before (string-replace "\n" newline (buffer-substring-no-properties (point-min) (point)))
                :after (string-replace "\n" newline (buffer-substring-no-properties (point) (point-max))))))

(defun hands-undo ()
  "Undo until nothing is left to undo: another undo would redo."
  (interactive)
  (condition-case nil
      (let ((last-command nil))
        (while t
          (undo)
          (setq last-command 'undo)))
    (user-error nil))
  (hands-tell :undone t))

(global-set-key (kbd "<f9>") #'hands-undo)
(global-set-key (kbd "<f11>") #'hands-open)
(global-set-key (kbd "<f12>") #'hands-look)
