import { describe, expect, test } from '@jest/globals';
import { Lifecycle } from './lifecycle.ts';

describe('stopping', () => {
  test('then parts stop in the reverse of their start, each after the other, once', async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle();
    lifecycle.started('store', () => {
      stopped.push('store');
    });
    lifecycle.started('projector', async () => {
      await Promise.resolve();
      stopped.push('projector');
    });
    await lifecycle.stop();
    await lifecycle.stop();
    expect(stopped).toEqual(['projector', 'store']);
  });

  test('given a part that fails in it, then the others stop all the same and the failure is told', async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle();
    lifecycle.started('store', () => {
      stopped.push('store');
    });
    lifecycle.started('projector', async () => await Promise.reject(new Error('stuck')));
    await expect(lifecycle.stop()).rejects.toThrow('projector did not stop cleanly');
    expect(stopped).toEqual(['store']);
  });
});
