/** Copies an object of a class to a plain one, whose members can be replaced one by one. */
export function toPlainObject<T extends object>(real: T): T {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(real)).filter((name) => name !== 'constructor');
  const own = Object.keys(real);
  const entries = [...names, ...own].map((name) => {
    const value = Reflect.get(real, name) as unknown;
    // A method that is replaced later is called too.
    const call = (...args: unknown[]): unknown =>
      (Reflect.get(real, name) as (...given: unknown[]) => unknown).apply(real, args);
    return [name, typeof value === 'function' ? call : value];
  });
  return Object.fromEntries(entries) as T;
}
