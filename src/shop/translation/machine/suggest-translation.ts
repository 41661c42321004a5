import { withCall } from '#database/translation/queue.ts'
import { readOriginals } from '#database/translation/translations.ts'
import { type MachineTools, machineEngine, pairFor } from './engine-settings.ts'
import { lengthOf, sentText, textFault } from './plan-batch.ts'
import { runMachineCall } from './send-batch.ts'

export type Suggestion =
  | { readonly ok: true; readonly text: string; readonly engine: string }
  /** `limit`: the day's character limit is reached; `failed`: no response, or an unusable one. */
  | { readonly ok: false; readonly reason: 'off' | 'limit' | 'failed' | 'unknown-original' }

/** Returns true if an engine is available. */
export function canSuggest(tools: MachineTools): boolean {
  return !tools.settings.translation.machine.paused && machineEngine(tools).ok
}

/**
 * Calls the engine for a waiting person: counted like any other call, and not saved.
 * @param language the shop's tag; the caller must be a translator
 */
export async function suggestTranslation(
  tools: MachineTools,
  { originalId, language }: { originalId: number; language: string },
): Promise<Suggestion> {
  const { db, settings } = tools
  const made = machineEngine(tools)
  if (!made.ok || settings.translation.machine.paused) return { ok: false, reason: 'off' }
  const { engine } = made
  const [original] = await readOriginals(db.kysely, [originalId])
  // Slugs are not translated by engines.
  if (!original || original.area === 'slug') return { ok: false, reason: 'unknown-original' }
  const { area, original: text, markup } = original
  // Same as the queue: an unusable response is retried in the other form.
  for (const fault of ['', textFault('')]) {
    const { text: sent, as } = sentText({ original: text, markup, language, fault }, engine, settings)
    if (!sent.speaks) return { ok: true, text: sent.unspoken, engine: engine.name }
    const wanted = { texts: [sent.sent], pair: pairFor(settings, area, language), as, characters: lengthOf(sent.sent) }
    const turn = await withCall(db, () => runMachineCall(tools, engine, wanted))
    if (turn?.kind === 'limit' || turn?.kind === 'quota') return { ok: false, reason: 'limit' }
    if (turn?.kind !== 'answered' || !turn.answer.ok) return { ok: false, reason: 'failed' }
    const answer = turn.answer.texts[0] ?? ''
    const read = answer.trim() === '' ? { ok: true as const, text: sent.unspoken } : sent.restore(answer)
    if (read.ok) return { ok: true, text: read.text, engine: engine.name }
  }
  return { ok: false, reason: 'failed' }
}
