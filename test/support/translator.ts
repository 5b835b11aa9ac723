import { createTranslator } from '#public-events/translate.ts';

export const TEST_ORIGIN = 'https://surety.example';

export const TRANSLATOR = createTranslator(TEST_ORIGIN);

export const { messageOf } = TRANSLATOR;
