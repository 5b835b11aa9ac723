import type { Locator } from 'playwright-core';
import type { HistoryEntry } from '#client/index.ts';

export type FormName =
  | 'Renew'
  | 'Change cover'
  | 'Beneficiaries'
  | 'Automatic renewal'
  | 'Cancel policy'
  | 'Add note'
  | 'Withdraw';

/** Fills a form, and returns what will have happened when it is done, as `commandsOf` names it. */
type Fill = (dialog: Locator, index: number) => Promise<string>;

/** The forms of policies and claims that walks fill. */
export const FORMS: Readonly<Record<FormName, Fill>> = {
  Renew: async (dialog) => {
    await dialog.getByLabel('Policy duration').waitFor();
    return 'RenewPolicy';
  },
  'Change cover': async (dialog, index) => {
    const name = `Cover ${index}`;
    await dialog.getByLabel('Action').selectOption('add');
    await dialog.getByLabel('Coverage name').fill(name);
    await dialog.getByLabel('Additional amount').fill('12.00');
    return `ChangePolicy ${name}`;
  },
  Beneficiaries: async (dialog, index) => {
    const name = `Bisi ${index}`;
    if (index === 0 || (await dialog.getByLabel('Beneficiary name').count()) === 0)
      await dialog.getByRole('button', { name: 'Add another' }).click();
    await dialog.getByLabel('Beneficiary name').last().fill(name);
    return `SetBeneficiaries ${name}`;
  },
  'Automatic renewal': async (dialog) => {
    const check = dialog.getByLabel('Auto renew');
    const wanted = !(await check.isChecked());
    await check.setChecked(wanted);
    return `SetAutoRenew ${wanted}`;
  },
  'Cancel policy': async (dialog, index) => {
    const reason = `Sold ${index}`;
    await dialog.getByLabel('Cancellation reason').fill(reason);
    return `CancelPolicy ${reason}`;
  },
  'Add note': async (dialog, index) => {
    const text = `Note ${index}`;
    await dialog.getByLabel('Text').fill(text);
    return `AddClaimNote ${text}`;
  },
  Withdraw: async (dialog, index) => {
    const reason = `Sold ${index}`;
    await dialog.getByLabel('Reason').fill(reason);
    return `WithdrawClaim ${reason}`;
  },
};

/** Returns the commands of a history with what was filled in, each once. */
export function commandsOf(history: readonly HistoryEntry[]): readonly string[] {
  const ofCommands = Map.groupBy(history, ({ command_id }) => command_id);
  return [...ofCommands.values()].map((entries) => {
    const [{ command } = { command: null }] = entries;
    if (command === 'RenewPolicy') return command;
    const filled = /"auto_renew":(?<value>\w+)|(?<name>(?:Cover|Bisi|Sold|Note) \d)/g;
    const [value] = [...JSON.stringify(entries.map(({ data }) => data)).matchAll(filled)]
      .map(({ groups }) => groups?.['value'] ?? groups?.['name'])
      .toReversed();
    return `${command} ${value}`;
  });
}
