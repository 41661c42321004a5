import type { ShopSettings } from '#contract/shared/settings.ts'
import { languagesOf } from '#contract/translation/languages.ts'
import type { WantedLanguage } from '#database/translation/queue.ts'
import type { Term } from '#domain/translation/placeholder-patterns.ts'
import type { Tools } from '../../shared/tools.ts'
import { deeplEngine } from './deepl-engine.ts'
import { isSameLanguage } from './engine-languages.ts'
import { googleEngine } from './google-engine.ts'
import { libreTranslateEngine } from './libretranslate-engine.ts'
import type { LanguagePair, MachineEngine } from './translation-engine.ts'

export type MachineTools = Pick<
  Tools,
  'db' | 'clock' | 'chance' | 'network' | 'log' | 'settings' | 'machineKey' | 'pageSlugs'
>

export type MachineEngineResult =
  | { readonly ok: true; readonly engine: MachineEngine }
  | { readonly ok: false; readonly reason: 'off' | 'no-key' | 'no-address' }

/** Returns the engine of the settings, whether or not it is paused. */
export function machineEngine({ clock, network, settings, machineKey }: MachineTools): MachineEngineResult {
  const { engine, address, key, formality } = settings.translation.machine
  // The key of the environment is not part of the settings, which other code can read.
  const tools = { clock, network, address: address.replace(/\/+$/, ''), key: machineKey || key, formality }
  if (engine === 'off') return { ok: false, reason: 'off' }
  if (engine === 'libretranslate') {
    return tools.address === ''
      ? { ok: false, reason: 'no-address' }
      : { ok: true, engine: libreTranslateEngine(tools) }
  }
  if (tools.key === '') return { ok: false, reason: 'no-key' }
  return { ok: true, engine: engine === 'deepl' ? deeplEngine(tools) : googleEngine(tools) }
}

const interfaceLanguage = 'en'

/** Returns the texts to translate, by target language. @param also languages that are not published yet */
export function wantedLanguages(settings: ShopSettings, also: readonly string[] = []): readonly WantedLanguage[] {
  return languagesOf(settings)
    .filter(({ tag, published }) => published || also.includes(tag))
    .map(({ tag }) => ({
      tag,
      areas: (['interface', 'content'] as const).filter((area) => !isSameLanguage(sourceOf(settings, area), tag)),
    }))
    .filter(({ areas }) => areas.length > 0)
}

/** Interface texts are English; the merchant's texts are in the shop's language. */
export function pairFor(settings: ShopSettings, area: 'interface' | 'content', to: string): LanguagePair {
  return { from: sourceOf(settings, area), to }
}

const sourceOf = (settings: ShopSettings, area: 'interface' | 'content') =>
  area === 'interface' ? interfaceLanguage : settings.language

/** Returns the glossary terms for a language. A term without any translation stays unchanged in every language. */
export function termsIn(settings: ShopSettings, tag: string): readonly Term[] {
  const { language } = new Intl.Locale(tag)
  return settings.translation.machine.glossary.flatMap(({ term, in: said }) => {
    if (Object.keys(said).length === 0) return [{ term, said: term }]
    const known = said[tag] ?? said[language ?? ''] ?? near(said, language)
    return known === undefined ? [] : [{ term, said: known }]
  })
}

const near = (said: Readonly<Record<string, string>>, language: string | undefined) =>
  Object.entries(said).find(([tag]) => new Intl.Locale(tag).language === language)?.[1]
