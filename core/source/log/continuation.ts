/** Lines that belong to the record before them, told by their shape alone. Spec: docs/spec/logs.md [LG13] */

const frames: readonly RegExp[] = [
  // Indented: file and line of a Go frame, a Java frame, klog's values over several lines, pretty JSON.
  /^[ \t]/,
  /^goroutine \d+(?: gp=\S+)?(?: m=\S+)?(?: mp=\S+)? \[[^\]]*\]:?$/,
  // A function of a Go stack: pkg/path.(*Type[...]).Method(0x1, {…}), with or without arguments, told by path or arguments.
  /^[\w$.\-~]+(?:\/[\w$.\-~%@]+)+\.(?:\(\*?[\w[\].…,]+\)\.)?[\w$.\-[\]…·]+(?:\(.*\))?$/,
  /^[a-z]\w*\.(?:\(\*?[\w[\].…,]+\)\.)?[\w$.\-[\]…·]+\(.*\)$/,
  /^(?:main|runtime|reflect)\.[\w.()*]+$/,
  /^created by \S+/,
  /^\[signal /,
  /^panic\(.*\)$/,
  /^\.\.\.(?:additional|\d+) /,
  /^exit status \d+$/,
  /^Caused by: /,
  /^[}\])]+,?$/,
];

/** True for a line that is no record of its own: stack frames, indented lines, a lone bracket, an empty line. */
export function isContinuation(text: string): boolean {
  if (text.trim() === '') return true;
  // Frames are short; a long line without blanks is somebody's data.
  if (text.length > 2_000) return text.startsWith('\t');
  return frames.some((frame) => frame.test(text)) && !/^https?:/.test(text);
}

/** The head of what the Go runtime prints when the process dies. */
export function isCrashHead(text: string): boolean {
  return /^(?:panic: |fatal error: )/.test(text);
}
