/** The stored properties of a user agent: not specific enough to identify a visitor. */
export type Agent = {
  /** `Chrome`, `Safari`; `Other`. */
  readonly browser: string
  /** The major version; '' if missing. */
  readonly version: string
  readonly os: string
}

/**
 * In this order, since most browsers also name the one that they are based on, and all name Mozilla. The first group is
 * the major version.
 */
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\b(?:Edg|EdgA|EdgiOS|Edge)\/(\d{1,4})/],
  ['Opera', /\b(?:OPR|OPT|OPX|Opera)[/ ](\d{1,4})/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d{1,4})/],
  ['Vivaldi', /\bVivaldi\/(\d{1,4})/],
  ['Yandex', /\bYaBrowser\/(\d{1,4})/],
  ['DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\/(\d{1,4})/],
  ['Brave', /\bBrave\/(\d{1,4})/],
  ['UC Browser', /\bUCBrowser\/(\d{1,4})/],
  ['Huawei Browser', /\bHuaweiBrowser\/(\d{1,4})/],
  ['MIUI Browser', /\bMiuiBrowser\/(\d{1,4})/],
  ['Silk', /\bSilk\/(\d{1,4})/],
  // Pages that are opened within another app.
  ['Facebook', /\b(?:FBAV|FBSV)\/(\d{1,4})/],
  ['Instagram', /\bInstagram (\d{1,4})/],
  ['Google App', /\bGSA\/(\d{1,4})/],
  ['Firefox', /\b(?:Firefox|FxiOS|Focus|Klar)\/(\d{1,4})/],
  ['Android WebView', /; wv\).*\bChrome\/(\d{1,4})/],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\/(\d{1,4})/],
  ['Android Browser', /\bAndroid.*\bVersion\/(\d{1,4})/],
  ['Safari', /\bVersion\/(\d{1,4})\S* (?:Mobile\/\S+ )?Safari\//],
  ['Safari', /\b(?:iPhone|iPad|iPod).*AppleWebKit\/(?=(\d{0}))/],
  ['Internet Explorer', /\b(?:MSIE |Trident\/.*\brv:)(\d{1,4})/],
]

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Windows', /\bWindows\b(?! Phone)/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['HarmonyOS', /\b(?:HarmonyOS|OpenHarmony)\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\b(?:Macintosh|Mac OS X)\b/],
  ['Linux', /\b(?:Linux|X11)\b/],
]

/** Longer user agents belong to no browser, and are not parsed. */
const longest = 500

/** @param agent an untrusted header, of any length and content */
export function agentOf(agent: string): Agent {
  const text = agent.slice(0, longest)
  for (const [browser, mark] of browsers) {
    const found = mark.exec(text)
    if (found) return { browser, version: found[1] ?? '', os: systemOf(text) }
  }
  return { browser: 'Other', version: '', os: systemOf(text) }
}

const systemOf = (text: string): string => systems.find(([, mark]) => mark.test(text))?.[0] ?? 'Other'
