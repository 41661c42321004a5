import { languageHooks } from '#contract/translation/language-hooks.ts'

const year = 365 * 24 * 60 * 60

export function storeLanguageChoice(tag: string): void {
  keep(languageHooks.chosenCookie, tag)
}

export function dismissOffers(): void {
  keep(languageHooks.hintCookie, languageHooks.dismissed)
}

function keep(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and not in every browser.
  document.cookie = `${name}=${value}; path=/; max-age=${year}; SameSite=Lax${secure}`
}
