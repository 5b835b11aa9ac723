import { describe, expect, test } from '@jest/globals';
import { startSuiteService } from '../support/suite-service.ts';
import { ReferenceDocument } from '../support/reference-document.ts';
import { runExamples } from '../support/reference-examples.ts';
import { isList } from '../support/served-values/follow-pages.ts';
import { Recording } from '../support/served-values/recording.ts';
import { inputsOf, isUnknownMember } from '../support/served-values/references.ts';
import { runScenario } from '../support/served-values/scenario.ts';
import { SendBack } from '../support/served-values/send-back.ts';

const service = await startSuiteService();
const document = new ReferenceDocument((await service.send('GET', '/openapi.json')).json);
const recording = new Recording(service, document);
const { calls } = await runExamples(recording.service);
const owners = await runScenario(recording, calls);
const sentBack: SendBack = new SendBack(recording, owners);
await sentBack.run();

/** Returns the ids of the operations whose document has a property, and that are not among the given ones. */
function lacking(
  tried: ReadonlySet<string>,
  isMeant: (operation: Recording['operations'][number]) => boolean,
): string[] {
  return recording.operations.filter((one) => isMeant(one) && !tried.has(one.id)).map(({ id }) => id);
}

describe('What the API serves', () => {
  test('works when it comes back', () => {
    expect(recording.failures).toEqual([]);
  });

  test('is sent back by this suite, every reference of every operation of the OpenAPI document', () => {
    const members = [...recording.operations, recording.problem].flatMap(({ served }) => served);
    const unknown = members.filter(isUnknownMember).map(({ path }) => path);
    // Say in test/support/served-values/references.ts where it may go, or why it goes nowhere.
    expect(unknown).toEqual([]);
    // Let the examples of the reference, or test/support/served-values/scenario.ts, get a response that has it.
    expect(sentBack.neverServed).toEqual([]);
  });

  test('is what the API takes: every input that takes a reference got one that was served', () => {
    const inputs = recording.operations.flatMap((one) => inputsOf(one).map((input) => ({ ...input, id: one.id })));
    const unknown = inputs.filter(({ isUnknown }) => isUnknown).map(({ id, name }) => `${id}.${name}`);
    expect(unknown).toEqual([]);
    expect(sentBack.neverSent()).toEqual([]);
  });
});

describe('An ETag', () => {
  test('gets 304 in If-None-Match of every operation that serves one', () => {
    expect(lacking(recording.tried.unchanged, ({ servedHeaders }) => servedHeaders.includes('ETag'))).toEqual([]);
  });

  test('is accepted in If-Match by every command on its resource, and refused with 412 after the change', () => {
    const takesIfMatch = ({ headers }: Recording['operations'][number]) => headers.includes('If-Match');
    expect(lacking(recording.tried.matched, takesIfMatch)).toEqual([]);
    expect(lacking(recording.tried.changed, takesIfMatch)).toEqual([]);
    const takesNone = (one: Recording['operations'][number]) => one.isCommand && !takesIfMatch(one);
    expect(lacking(recording.tried.refused, takesNone)).toEqual([]);
  });
});

test('The links of every list lead to all of its pages and back', () => {
  expect(lacking(recording.tried.paged, isList)).toEqual([]);
});
