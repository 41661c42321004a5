/** Regions whose English is spelled as in the United States. All others follow British English, as in CLDR. */
const americanRegions: ReadonlySet<string> = new Set('AS FM GU LR MH MP PH PR PW UM US VI'.split(' '))

/** The language of the file of British interface words, which other regions share. */
export const britishEnglish = 'en-GB'

export function isEnglish(tag: string): boolean {
  return new Intl.Locale(tag).language === 'en'
}

/** Returns whether the interface texts in the code, which are American English, are in a language as they stand. */
export function isInterfaceSource(tag: string): boolean {
  const { region } = new Intl.Locale(tag)
  return isEnglish(tag) && (region === undefined || americanRegions.has(region))
}
