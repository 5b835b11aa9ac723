import { describe, expect, test } from '@jest/globals';
import { StopOrder } from './lifecycle.ts';

describe('stop', () => {
  test('stops parts once, one after the other, in the reverse order', async () => {
    const stopped: string[] = [];
    const lifecycle = new StopOrder();
    lifecycle.onStop('store', () => {
      stopped.push('store');
    });
    lifecycle.onStop('projector', async () => {
      await Promise.resolve();
      stopped.push('projector');
    });
    await lifecycle.stop();
    await lifecycle.stop();
    expect(stopped).toEqual(['projector', 'store']);
  });

  test('stops the other parts after a failure, and reports it', async () => {
    const stopped: string[] = [];
    const lifecycle = new StopOrder();
    lifecycle.onStop('store', () => {
      stopped.push('store');
    });
    lifecycle.onStop('projector', async () => await Promise.reject(new Error('stuck')));
    await expect(lifecycle.stop()).rejects.toThrow('projector did not stop cleanly');
    expect(stopped).toEqual(['store']);
  });
});
