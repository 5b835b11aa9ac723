import { afterAll } from '@jest/globals';
import { type ApiService, startApiService } from './api-service.ts';

/** Starts a service that stops after the tests of the file. */
export async function startSuiteService(options?: Parameters<typeof startApiService>[0]): Promise<ApiService> {
  const service = await startApiService(options);
  afterAll(async () => await service.stop());
  return service;
}
