/** The preferred language of a browser. */
export type AcceptedLanguage = {
  /** Code of the first language without a region, as `de`; '' if missing. */
  readonly language: string
  /** Region of the first language that has one, as `AT`: only a guess at the location. */
  readonly region: string
}

const longest = 500

/** @param header `Accept-Language`: untrusted, of any length and content */
export function acceptedLanguage(header: string): AcceptedLanguage {
  const wanted = header
    .slice(0, longest)
    .split(',')
    .flatMap((part, place) => {
      const [, tag = '', quality = '1'] =
        /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*$/i.exec(part) ?? []
      return tag === '' || Number(quality) === 0 ? [] : [{ tag, quality: Number(quality), place }]
    })
    .sort((one, other) => other.quality - one.quality || one.place - other.place)
  const language = wanted[0]?.tag.split('-')[0]?.toLowerCase() ?? ''
  for (const { tag } of wanted) {
    // A script of four letters may stand between: zh-Hans-CN.
    const region = /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})(?:-|$)/i.exec(tag)?.[1]
    if (region) return { language, region: region.toUpperCase() }
  }
  return { language, region: '' }
}

/** Codes of proxies for an unknown country, or for anonymizing networks. */
const noCountry = new Set(['XX', 'T1', 'ZZ', 'AP', 'EU', 'A1', 'A2', 'O1'])

/** Returns a proxy's country code: two letters, or ''. */
export function countryCode(header: string): string {
  const code = header.slice(0, 20).trim().toUpperCase()
  return /^[A-Z]{2}$/.test(code) && !noCountry.has(code) ? code : ''
}
