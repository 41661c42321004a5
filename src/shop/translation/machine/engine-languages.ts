// Language codes of the engines. The shop's tags are BCP 47.

const deepl = new Set(
  'AR BG CS DA DE EL EN ES ET FI FR HE HU ID IT JA KO LT LV NB NL PL PT RO RU SK SL SV TH TR UK VI ZH'.split(' '),
)

/** Returns DeepL's code of a language; some targets have a region or script. Null: unsupported. */
export function deeplCode(tag: string, as: 'source' | 'target'): string | null {
  const { language, script, region } = new Intl.Locale(tag).maximize()
  const base = (language === 'no' ? 'nb' : language).toUpperCase()
  if (!deepl.has(base)) return null
  if (as === 'source') return base
  if (base === 'EN') return region === 'US' || region === 'CA' || region === 'PH' ? 'EN-US' : 'EN-GB'
  if (base === 'PT') return region === 'BR' ? 'PT-BR' : 'PT-PT'
  if (base === 'ZH') return script === 'Hant' ? 'ZH-HANT' : 'ZH-HANS'
  return base
}

const google = new Set(
  'af am ar as ay az be bg bho bm bn bs ca ceb ckb co cs cy da de doi dv ee el en eo es et eu fa fi fil fr fy ga gd gl gn gom gu ha haw he hi hmn hr ht hu hy id ig ilo is it ja jv ka kk km kn ko kri ku ky la lb lg ln lo lt lus lv mai mg mi mk ml mn mr ms mt my ne nl no nso ny om or pa pl ps pt qu ro ru rw sa sd si sk sl sm sn so sq sr st su sv sw ta te tg th ti tk tl tr ts tt ug uk ur uz vi xh yi yo yue zh zu'.split(
    ' ',
  ),
)

/** Returns Google's code of a language; null: unsupported. */
export function googleCode(tag: string): string | null {
  const { language, script, region } = new Intl.Locale(tag).maximize()
  const base = language === 'nb' || language === 'nn' ? 'no' : language
  if (!google.has(base)) return null
  if (base === 'zh') return script === 'Hant' ? 'zh-TW' : 'zh-CN'
  if (base === 'pt' && region === 'PT') return 'pt-PT'
  return base
}

/** Older servers use other codes. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'zh-Hans': ['zh', 'zh-CN'],
  'zh-Hant': ['zt', 'zh-TW'],
  'pt-BR': ['pb'],
  nb: ['no'],
  no: ['nb'],
  he: ['iw'],
  fil: ['tl'],
}

/** Returns the nearest supported code of a server that lists its languages. Null: unsupported. */
export function nearestCode(tag: string, known: readonly string[]): string | null {
  const { language, script, region } = new Intl.Locale(tag).maximize()
  const wanted = [tag, `${language}-${script}`, `${language}-${region}`]
  // A translation in another script is not acceptable.
  const bare = language === 'zh' && script === 'Hant' ? [] : [language ?? tag]
  for (const code of [...wanted, ...wanted.flatMap((name) => otherNames[name] ?? []), ...bare]) {
    const found = known.find((name) => name.toLowerCase() === code.toLowerCase())
    if (found !== undefined) return found
  }
  const others = otherNames[language ?? ''] ?? []
  return known.find((name) => others.includes(name)) ?? null
}

/** Returns true if two tags have the same language: no translation is needed between them. */
export function isSameLanguage(one: string, other: string): boolean {
  const [a, b] = [new Intl.Locale(one).maximize(), new Intl.Locale(other).maximize()]
  return a.language === b.language && a.script === b.script
}
