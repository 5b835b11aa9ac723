import type { ComponentType } from 'preact';
import { useRequest } from '../requests/use-request.ts';
import { Failure, Skeleton } from './load-status.tsx';

type LateScript = Readonly<Record<string, ComponentType<never>>>;

let readScript: (() => Promise<LateScript>) | undefined;

/** Sets how the script is read that the first screen does not wait for. */
export function setLateScript(read: () => Promise<LateScript>): void {
  readScript = read;
}

/** Makes a component of one of that script. */
export function lateComponent(name: string) {
  return function LateComponent(props: object) {
    const { value, error, reload } = useRequest('', async () => await readScript?.());
    if (error !== undefined) return <Failure error={error} retry={reload} />;
    const Component = value?.[name] as ComponentType | undefined;
    return Component === undefined ? <Skeleton /> : <Component {...props} />;
  };
}
