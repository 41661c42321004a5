import { keyOf } from '#contract/shared/merchant-rules.ts'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { canonicalJson } from '../../shared/digest.ts'

/** A value that no merchant has set: an empty default, or the demo shop's. */
export type Placeholder = { readonly what: string; readonly advice: string }

/** Hosts of defaults and of the demo. They are reserved and cannot be registered. */
const inventedHost = /(?:^|[\s@/<".])(?:example\.test|fogline\.example)(?![\w-])/i

/** Returns the settings that still have placeholders, each with the command to set it. */
export function settingPlaceholders(settings: ShopSettings): Placeholder[] {
  const unset = shopSettings.parse({})
  const found: Placeholder[] = []
  if (settings.name === unset.name || settings.name === demoName) {
    found.push({ what: `the shop is called "${settings.name}", a placeholder`, advice: 'settings name "Your shop"' })
  }
  if (isDefaultPlace(settings.base)) {
    found.push({
      what: "the shop's location is not set: settings base is the default",
      advice: `settings base '{"country":"US","state":"CA","city":"Oakland","postcode":"94607"}'`,
    })
  }
  for (const { path, text } of textsIn(settings)) {
    if (!inventedHost.test(text)) continue
    const key = keyOf(path)
    found.push({ what: `${key} is a placeholder: ${text}`, advice: adviceFor(key) })
  }
  return found
}

/** California without a city is the default. */
export function isDefaultPlace(base: ShopSettings['base']): boolean {
  return canonicalJson(base) === canonicalJson(shopSettings.parse({}).base)
}

const demoName = 'Fogline'

const adviceFor = (key: string) =>
  key === 'mail.from' ? 'settings mail.from "" sends from the address in email' : `settings ${key} you@shop.example`

function textsIn(value: unknown, path: readonly PropertyKey[] = []): { path: readonly PropertyKey[]; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (Array.isArray(value)) return value.flatMap((one, place) => textsIn(one, [...path, place]))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, [...path, name]))
}

export function isInventedAddress(url: string): boolean {
  return inventedHost.test(url)
}

/** Required pages, and those that the demo publishes with invented names. */
export const pagesToCheck = [
  { slug: 'terms', needed: true },
  { slug: 'privacy-policy', needed: true },
  { slug: 'contact', needed: false },
  { slug: 'shipping', needed: false },
  { slug: 'about', needed: false },
  { slug: 'accessibility', needed: false },
] as const

/** Every shipped legal text names its own file, which a merchant's text does not; the demo's contains its address. */
const placeholderInPage = /content\/[a-z-]+(?:\.[a-z-]+)?\.md|fogline\.example|Shotwell/i

/** @param answer response of the page's address, as a visitor gets it */
export function pagePlaceholder(
  { slug, needed }: (typeof pagesToCheck)[number],
  answer: { readonly status: number; readonly text: string },
): Placeholder | null {
  const path = urls.page(slug)
  if (answer.status === 404 && needed) {
    return {
      what: `${path} is not published`,
      advice: `Write ${slug}.md in your folder of pages and take the line draft out of its head.`,
    }
  }
  if (answer.status !== 200 || !placeholderInPage.test(answer.text)) return null
  return {
    what: `${path} still has the placeholder's text`,
    advice: `Write your own ${slug}.md in your folder of pages.`,
  }
}
