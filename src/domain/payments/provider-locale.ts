/** Locales that PayPal's window supports; the default locale of a language comes first. */
const supportedLocales =
  'ar-EG cs-CZ da-DK de-DE el-GR en-US en-AU en-GB en-IN es-ES es-XC fi-FI fr-FR fr-CA fr-XC he-IL hu-HU id-ID it-IT ja-JP ko-KR nl-NL no-NO pl-PL pt-PT pt-BR ru-RU sk-SK sv-SE th-TH zh-CN zh-HK zh-TW zh-XC'.split(
    ' ',
  )

/** PayPal's names of languages that have a more exact tag. */
const languageAliases: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', iw: 'he', in: 'id' }

/**
 * Returns PayPal's locale for a language tag: `de-AT` becomes `de-DE`, `ar` becomes `ar-EG`.
 * @returns null for an unsupported language: PayPal chooses one itself
 */
export function providerLocale(tag: string): string | null {
  const { language, region, script } = new Intl.Locale(tag).maximize()
  const known = languageAliases[language] ?? language
  const exact = `${known}-${region ?? ''}`
  if (supportedLocales.includes(exact)) return exact
  if (known === 'zh') return script === 'Hant' ? 'zh-TW' : 'zh-CN'
  return supportedLocales.find((one) => one.startsWith(`${known}-`)) ?? null
}
