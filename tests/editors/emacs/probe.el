;; Runs inside a real Emacs after the user's configuration: opens each file as a user would, evaluates an expression in
;; its buffer, and prints its value, one a line, as JSON.  -*- lexical-binding: t -*-
(require 'eglot)
(require 'flymake)
(require 'json)
(setq eglot-sync-connect 90
      jsonrpc-default-request-timeout 90
      flymake-no-changes-timeout 0)

(defun probe-wait (done)
  "Let things happen until DONE says so, or for 90 seconds."
  (let ((until (+ (float-time) 90)))
    (while (and (not (funcall done)) (< (float-time) until))
      (accept-process-output nil 0.02))))

(defun probe-faces (line)
  "The colours of LINE: runs of text, each with its face or nil, as JSON."
  (font-lock-ensure)
  (goto-char (point-min))
  (forward-line (1- line))
  (let (runs)
    (while (< (point) (pos-eol))
      (let* ((face (get-text-property (point) 'face))
             (end (min (pos-eol) (next-single-property-change (point) 'face nil (pos-eol)))))
        (push (vector (buffer-substring-no-properties (point) end) (symbol-name face)) runs)
        (goto-char end)))
    (decode-coding-string (json-serialize (vconcat (nreverse runs))) 'utf-8)))

(defun probe-connect ()
  "Wait until the server serves this buffer."
  ;; what `eglot-ensure' puts off until the command is over; there are no commands in batch mode
  (run-hooks 'post-command-hook)
  (probe-wait #'eglot-current-server))

(defun probe-go (text)
  "Go to the first place with TEXT."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun probe-hover ()
  "What the echo area shows of the place."
  (switch-to-buffer (current-buffer))
  (let (found)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq found (substring-no-properties (or text "")))))
    (probe-wait (lambda () found))
    found))

(defun probe-complete ()
  "What Eglot offers at the place."
  ;; in batch mode, `sit-for' lets nothing happen
  (cl-letf (((symbol-function 'sit-for) (lambda (&rest _) (accept-process-output nil 0.05) t)))
    (all-completions "" (nth 2 (eglot-completion-at-point)))))

(defun probe-fix (title)
  "Apply the code action whose title begins with TITLE."
  (flymake-start)
  (probe-wait #'flymake-diagnostics)
  (let ((actions (eglot-code-actions (point) (1+ (point)))))
    (eglot-execute (eglot-current-server)
                   (seq-find (lambda (each) (string-prefix-p title (plist-get each :title))) actions))
    (buffer-substring-no-properties (point-min) (point-max))))

(defun probe-hidden (text)
  "Whether TEXT is hidden, and the first place with it."
  (probe-go text)
  (and (invisible-p (point)) t))

(defun probe-shown (count)
  "The mode, whether a server serves the buffer, and its diagnostics once there are COUNT, as JSON."
  (probe-connect)
  ;; Flymake puts its first look off until the buffer is in a window that is drawn
  (flymake-start)
  (probe-wait (lambda () (= (length (flymake-diagnostics)) count)))
  (let ((found (mapcar (lambda (each)
                         (let ((start (flymake-diagnostic-beg each)) (end (flymake-diagnostic-end each)))
                           (vector (line-number-at-pos start)
                                   (buffer-substring-no-properties start end)
                                   (flymake-diagnostic-text each))))
                       (sort (flymake-diagnostics)
                             (lambda (one other) (< (flymake-diagnostic-beg one) (flymake-diagnostic-beg other)))))))
    (decode-coding-string
     (json-serialize (list :mode (symbol-name major-mode)
                           :managed (if (eglot-managed-p) t :false)
                           :diagnostics (vconcat found)))
     'utf-8)))

;; Expressions over a file: what each of them gives, as text.
(dolist (asked (json-parse-string (getenv "LLMBLOCKS_PROBE_EVAL") :array-type 'list))
  (let ((value (with-current-buffer (find-file-noselect (nth 0 asked))
                 (eval (car (read-from-string (nth 1 asked))) t))))
    (princ (format "VALUE %s\n" (decode-coding-string (json-serialize (format "%s" value)) 'utf-8)))))
