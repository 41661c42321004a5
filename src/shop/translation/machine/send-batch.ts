import {
  readMachineState,
  releaseCharacters,
  reserveCharacters,
  writeMachineState,
} from '#database/translation/queue.ts'
import { dayIn, pauseReason, stateAfterFailure, stateAfterSuccess } from './engine-health.ts'
import type { MachineTools } from './engine-settings.ts'
import type { LanguagePair, MachineAnswer, MachineEngine, SentAs } from './translation-engine.ts'

/** The result of one call: for logs and metrics, without the sent texts. */
export type MachineCall = {
  readonly engine: MachineEngine['name']
  readonly outcome: 'done' | (MachineAnswer & { ok: false })['kind']
  readonly texts: number
  readonly characters: number
  readonly ms: number
}

export type Turn =
  | { readonly kind: 'answered'; readonly answer: MachineAnswer; readonly failuresBefore: number }
  /** Nothing was sent: the engine is paused, */
  | { readonly kind: 'pause'; readonly until: Date }
  /** its account's quota is used up today, */
  | { readonly kind: 'quota' }
  /** or the day's character limit is reached. */
  | { readonly kind: 'limit' }

type Wanted = {
  readonly texts: readonly string[]
  readonly pair: LanguagePair
  readonly as: SentAs
  readonly characters: number
}

export const pairName = ({ from, to }: LanguagePair) => `${from}>${to}`

/**
 * Runs one call of an engine. It checks the limits, counts the characters before the call, corrects the count
 * afterwards, and saves the engine's state. The caller must hold the lock of calls, or two could exceed the limits.
 */
export async function runMachineCall(
  tools: MachineTools,
  engine: MachineEngine,
  { texts, pair, as, characters }: Wanted,
  { note = () => {}, stopping }: { note?: (call: MachineCall) => void; stopping?: AbortSignal } = {},
): Promise<Turn> {
  const { db, clock, chance, settings, log } = tools
  const began = clock.now()
  const day = dayIn(settings.timeZone, began)
  const before = await readMachineState(db.kysely)
  const held = pauseReason(before, engine.name, began, day)
  if (held.held === 'quota') return { kind: 'quota' }
  if (held.held === 'pause') return { kind: 'pause', until: held.until }
  const count = { day, engine: engine.name, characters }
  const limit = settings.translation.machine.charactersPerDay
  if (!(await reserveCharacters(db.kysely, { ...count, limit }))) return { kind: 'limit' }

  const answer = await engine.translate(texts, pair, as)
  const now = clock.now()
  const failuresBefore = before.engine === engine.name ? before.failures : 0
  // The shutdown aborted the call: that is no failure of the engine.
  if (stopping?.aborted && !answer.ok) return { kind: 'answered', answer, failuresBefore }
  // An unknown result stays counted: the account may have been charged.
  if (!answer.ok && answer.kind !== 'lost') await releaseCharacters(db.kysely, count)
  const call: MachineCall = {
    engine: engine.name,
    outcome: answer.ok ? 'done' : answer.kind,
    texts: texts.length,
    characters,
    ms: now.getTime() - began.getTime(),
  }
  note(call)
  if (answer.ok) log.info({ ...call, to: pair.to }, 'machine translation succeeded')
  else log.warn({ ...call, to: pair.to, reason: answer.reason }, 'machine translation failed')
  const state = answer.ok
    ? stateAfterSuccess(engine.name, before, now)
    : stateAfterFailure(engine.name, before, answer, { now, day, fraction: chance.fraction(), pair: pairName(pair) })
  await writeMachineState(db.kysely, state)
  return { kind: 'answered', answer, failuresBefore }
}
