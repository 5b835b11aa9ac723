import type { Records } from '#stores/records/records.ts';

const WRITES = ['setValue', 'replaceValue', 'putBlob', 'revokeKey'];

/** Wraps records of a process that is killed after so many writes: each later one throws "killed". */
export function dyingRecords(records: Records, allowed: number): Records {
  let writes = 0;
  return new Proxy(records, {
    get: (object, name) => {
      const member: unknown = Reflect.get(object, name, object);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        if (WRITES.includes(String(name)) && ++writes > allowed) throw new Error('killed');
        return await (Reflect.apply(member, object, args) as Promise<unknown>);
      };
    },
  });
}
