import { expect, test } from '@jest/globals';
import { operationsOf, rolesOf } from '#http/reference/openapi/operations.ts';
import { routersOf } from '#http/api/routers/routers.ts';
import { COMMANDS, type CommandName, mayExecute, operationIdOf } from '../../console/src/actions/commands.ts';
import { ROLES } from '#domain/values/rights.ts';

/** Roles by the id of the operation, as `x-roles` of the API document names them. */
const rolesById = new Map(
  routersOf({})
    .flat()
    .flatMap(operationsOf)
    .map((operation) => [operation.id, rolesOf(operation) ?? []]),
);

const names = Object.keys(COMMANDS) as CommandName[];

test.each(ROLES)('gives %s no button of a command that the API refuses, and none who only reads', (role) => {
  for (const name of names) {
    const session = { me: { role, access: 'full' } } as const;
    const id = operationIdOf(session, name);
    if (mayExecute(session, name)) expect([name, rolesById.get(id)]).toEqual([name, expect.arrayContaining([role])]);
    expect([name, mayExecute({ me: { role, access: 'read' } }, name)]).toEqual([name, false]);
  }
});

test('gives an auditor no button of a command', () => {
  expect(names.filter((name) => mayExecute({ me: { role: 'auditor', access: 'full' } }, name))).toEqual([]);
});
