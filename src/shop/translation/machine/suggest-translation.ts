import { withCall } from '#database/translation/queue.ts'
import { readOriginals } from '#database/translation/translations.ts'
import { type MachineTools, machineEngine, pairFor } from './engine-settings.ts'
import { lengthOf, sentText, textFault } from './plan-batch.ts'
import { runMachineCall } from './send-batch.ts'

export type Suggestion =
  | { readonly ok: true; readonly text: string; readonly engine: string }
  /** `limit`: the day's characters are used up; `failed`: the engine did not answer, or not usefully. */
  | { readonly ok: false; readonly reason: 'off' | 'limit' | 'failed' | 'unknown-original' }

/** Whether there is an engine to ask. */
export function canSuggest(tools: MachineTools): boolean {
  return !tools.settings.translation.machine.paused && machineEngine(tools).ok
}

/**
 * Asks the engine now, for a person who waits: counted like any other call, and nothing is kept.
 * @param language as the shop has it; the one who asks must be one who translates
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
  // Addresses are no language.
  if (!original || original.area === 'slug') return { ok: false, reason: 'unknown-original' }
  const { area, original: text, markup } = original
  // As the queue would: where the first answer cannot be used, once more otherwise.
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
