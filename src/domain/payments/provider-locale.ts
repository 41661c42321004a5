/** The languages that the provider's window speaks, as it writes them; of one language the usual form stands first. */
const spoken =
  'ar-EG cs-CZ da-DK de-DE el-GR en-US en-AU en-GB en-IN es-ES es-XC fi-FI fr-FR fr-CA fr-XC he-IL hu-HU id-ID it-IT ja-JP ko-KR nl-NL no-NO pl-PL pt-PT pt-BR ru-RU sk-SK sv-SE th-TH zh-CN zh-HK zh-TW zh-XC'.split(
    ' ',
  )

/** Names that the provider has for languages which others name more exactly. */
const otherwise: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', iw: 'he', in: 'id' }

/**
 * The language of a page as the provider knows it, with its country: `de-AT` is `de-DE` there, `ar` is `ar-EG`.
 * @returns null for one that it does not speak: then it chooses by itself
 */
export function providerLocale(tag: string): string | null {
  const { language, region, script } = new Intl.Locale(tag).maximize()
  const known = otherwise[language] ?? language
  const exact = `${known}-${region ?? ''}`
  if (spoken.includes(exact)) return exact
  if (known === 'zh') return script === 'Hant' ? 'zh-TW' : 'zh-CN'
  return spoken.find((one) => one.startsWith(`${known}-`)) ?? null
}
