/** Returns the text of a field of a form, without outer spaces. */
export function textOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** Whether a key that was pressed belongs to a text or a choice. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=range], [type=checkbox]), textarea, select');
}
