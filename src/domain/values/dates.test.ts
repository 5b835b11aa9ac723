import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { addDays, isDay, startOfDay, timelineStamp } from './dates.ts';
import { dayOf, laterOf, moment } from '../../event-sourcing/time.ts';

const days = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9990-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('days', () => {
  test('can be added and subtracted, and sort as text', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 1000 }), (from, count) => {
        const to = addDays(from, count);
        expect(isDay(to)).toBe(true);
        expect(addDays(to, -count)).toBe(from);
        expect(from <= to).toBe(true);
      }),
    );
  });

  test.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2023-12-31', 1, '2024-01-01'],
    ['2026-03-01', 365, '2027-03-01'],
    ['2024-03-01', -1, '2024-02-29'],
  ])('%s and %i days are %s', (from, count, to) => {
    expect(addDays(from, count)).toBe(to);
  });

  test.each([
    ...['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-01', '2026-01-00', '2026-1-1', '26-01-01'],
    ...['2026-01', '2026', '2026-01-01T00:00:00Z', ' 2026-01-01', '2026-01-01\n', '', 'today', '+012026-01-01'],
  ])('%j is not a day', (text) => {
    expect(isDay(text)).toBe(false);
  });

  test('every day of the calendar is a day', () => {
    fc.assert(fc.property(days, (text) => expect(isDay(text)).toBe(true)));
  });
});

describe('moments', () => {
  test('have a UTC day', () => {
    expect(dayOf('2026-03-01T23:59:59.999Z')).toBe('2026-03-01');
    expect(startOfDay('2026-03-01')).toBe('2026-03-01T00:00:00.000Z');
  });

  test('have seconds in a timeline', () => {
    expect(timelineStamp('2026-03-01T23:59:59.999Z')).toBe('2026-03-01 23:59:59');
  });

  test('compare as text', () => {
    expect(laterOf('2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z')).toBe('2026-03-01T00:00:00.001Z');
    expect(laterOf('2026-03-01T00:00:00.000Z', '')).toBe('2026-03-01T00:00:00.000Z');
  });

  test.each([
    ['2026-03-01T00:00:00.000Z', true],
    ['2026-03-01T00:00:00Z', false],
    ['2026-03-01T00:00:00.000000Z', false],
    ['2026-03-01T01:00:00.000+01:00', false],
  ])('written as %s can be stored: %p', (text, stored) => {
    expect(moment.safeParse(text).success).toBe(stored);
  });
});
