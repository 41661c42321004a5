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

/** The engine that the settings name, whether or not it is paused. */
export function machineEngine({ clock, network, settings, machineKey }: MachineTools): MachineEngineResult {
  const { engine, address, key, formality } = settings.translation.machine
  // What the operator says in the environment is not read by whoever reads the settings.
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

/** What is to be translated into which languages. @param also languages that nobody sees yet */
export function wantedLanguages(settings: ShopSettings, also: readonly string[] = []): readonly WantedLanguage[] {
  return languagesOf(settings)
    .filter(({ tag, published }) => published || also.includes(tag))
    .map(({ tag }) => ({
      tag,
      areas: (['interface', 'content'] as const).filter((area) => !isSameLanguage(sourceOf(settings, area), tag)),
    }))
    .filter(({ areas }) => areas.length > 0)
}

/** The shop's own words are English; what the merchant wrote is in the language of the shop. */
export function pairFor(settings: ShopSettings, area: 'interface' | 'content', to: string): LanguagePair {
  return { from: sourceOf(settings, area), to }
}

const sourceOf = (settings: ShopSettings, area: 'interface' | 'content') =>
  area === 'interface' ? interfaceLanguage : settings.language

/** The terms of the glossary as one language says them. A term that says nothing of any language stays everywhere. */
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
