/** Returns the name of a field in the API: `taxIdentificationNumber` → `tax_identification_number`. */
export function apiName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
