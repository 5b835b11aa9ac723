const CENSORED = '[redacted]';

/** Patterns of secrets and personal data in a log line, also inside JSON in a string. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // User and password of a URL.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s"'<>]*@/gi, `$1${CENSORED}@`],
  // An API key of Surety.
  [/\bsk_(live|test|platform)_\w+/g, CENSORED],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${CENSORED}`],
  // A named value, as in `token=…` or `password: …`, also with escaped quotes inside a JSON string.
  [
    /\b([\w-]*(?:password|passwd|secret|token|api[_-]?key|authorization))((?:\\+")?\s*[=:]\s*(?:\\+")?)[^\s"'\\,;&)}\]]+/gi,
    `$1$2${CENSORED}`,
  ],
  // An e-mail address.
  [/[^\s"'<>()[\]\\,;:=@]+@[^\s"'<>()[\]\\,;:=@]+\.[\p{L}\d-]{2,}/gu, CENSORED],
];

/** Redacts text that looks like a secret or an e-mail address in a log line. JSON stays valid. */
export function redact(line: string): string {
  return PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}
