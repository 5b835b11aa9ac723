/** Returns whether it is an error of the operating system, such as a missing folder, a missing permission or a full disk. */
export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}
