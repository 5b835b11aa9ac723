import { expect, test } from '@jest/globals';
import { ageOn, ANY_AGE, isEligible } from './eligibility.ts';

test.each([
  ['2000-05-17', '2018-05-16', 17],
  ['2000-05-17', '2018-05-17', 18],
  ['2000-02-29', '2018-02-28', 17],
  ['2000-02-29', '2018-03-01', 18],
  ['2000-02-29', '2020-02-28', 19],
  ['2000-02-29', '2020-02-29', 20],
  ['2000-05-17', '2000-05-17', 0],
])('who was born on %s is on %s %i years old', (birth, day, age) => {
  expect(ageOn(birth, day)).toBe(age);
});

test.each([
  [18, 70, 17, false],
  [18, 70, 18, true],
  [18, 70, 70, true],
  [18, 70, 71, false],
  [18, null, 120, true],
  [null, 17, 18, false],
])('from %p to %p years an age of %i is eligible: %p', (minAge, maxAge, age, eligible) => {
  expect(isEligible({ minAge, maxAge }, `${2020 - age}-01-01`, '2020-01-01')).toBe(eligible);
});

test('an unknown date of birth is eligible where there is no bound, else unknown', () => {
  expect(isEligible(ANY_AGE, null, '2020-01-01')).toBe(true);
  expect(isEligible({ minAge: null, maxAge: 70 }, null, '2020-01-01')).toBeUndefined();
});
