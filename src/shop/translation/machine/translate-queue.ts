import { languagesOf } from '#contract/translation/languages.ts'
import {
  dailySpending,
  dueOriginals,
  markQueued,
  type QueuedOriginal,
  queueUntranslated,
  readMachineState,
  removeQueued,
  removeSettled,
  requeueAbandoned,
  requeueFailed,
  reviewedTexts,
  withQueue,
} from '#database/translation/queue.ts'
import { isNearIdentical } from '#domain/translation/near-identical.ts'
import { saveTranslations } from '../save-translation.ts'
import { dayIn, isUnsupportedPair, pauseReason } from './engine-health.ts'
import { type MachineTools, machineEngine, pairFor, wantedLanguages } from './engine-settings.ts'
import { type Batch, engineFault, isTextFault, planCall, refusedFault, textFault } from './plan-batch.ts'
import { type MachineCall, pairName, runMachineCall } from './send-batch.ts'
import type { MachineAnswer, MachineEngine } from './translation-engine.ts'

/** The reason for a run's end. */
export type MachineEnd =
  /** Nothing is waiting. */
  | 'done'
  | 'off'
  | 'no-key'
  | 'no-address'
  | 'paused'
  /** Another process holds the lock. */
  | 'busy'
  /** The day's character limit is reached. */
  | 'limit'
  | 'quota'
  /** The engine is paused after failures. */
  | 'held'
  /** The time limit is reached: the next run continues. */
  | 'time'

export type MachineRun = {
  readonly end: MachineEnd
  readonly calls: number
  readonly characters: number
  /** Number of saved translations, */
  readonly saved: number
  /** and of unusable responses. */
  readonly refused: number
}

type Options = {
  /** No call starts after this time. */
  readonly until: Date
  readonly stopping?: AbortSignal
  readonly note?: (call: MachineCall) => void
  /** Languages to translate that are not published yet. */
  readonly also?: readonly string[]
  /** Only these; default: all. */
  readonly only?: readonly string[]
}

/** Maximum number of texts enqueued at a time: the next minute enqueues more. */
const mostQueued = 2_000
const mostDue = 400
/** A text that failed alone this often, while others succeeded, is not retried. */
const mostTries = 5
/** A shorter pause is awaited; a longer one ends the run. */
const longestWaitMs = 60_000
const dayMs = 24 * 60 * 60_000

/**
 * Enqueues missing translations, and translates until the queue is empty or a limit is reached. One process of a shop
 * runs at a time; after a crash the next run continues.
 */
export async function translateQueue(tools: MachineTools, options: Options): Promise<MachineRun> {
  const count = { calls: 0, characters: 0, saved: 0, refused: 0 }
  const stopping = options.stopping ?? new AbortController().signal
  const cut = { ...options, stopping, note: noteInto(count, options.note) }
  const ready = readyEngine(tools, stopping)
  if (typeof ready === 'string') return { end: ready, ...count }
  const end = await withQueue(tools.db, async (locks) => {
    const { kysely } = tools.db
    await requeueAbandoned(kysely)
    await requeueFailed(kysely, tools.clock.now(), engineFault)
    await removeSettled(
      kysely,
      languagesOf(tools.settings).map(({ tag }) => tag),
    )
    await enqueueUntranslated(tools, options.also)
    let engine = ready
    for (;;) {
      if (stopping.aborted || tools.clock.now() >= options.until) return 'time'
      // The merchant may have disabled or changed the engine meanwhile.
      const now = readyEngine(tools, stopping, engine)
      if (typeof now === 'string') return now
      engine = now
      const step = await locks.call(() => oneStep(tools, engine.engine, cut, count))
      if (step === null) return 'held'
      if (step === 'on') continue
      if (typeof step === 'string') return step
      const pause = step.until.getTime() - tools.clock.now().getTime()
      if (step.until >= options.until || pause > longestWaitMs) return 'held'
      await tools.clock.sleep(pause, stopping)
    }
  })
  return { end: end ?? 'busy', ...count }
}

/** Enqueues missing translations. @returns the number of texts */
export function enqueueUntranslated(
  tools: Pick<MachineTools, 'clock' | 'settings'> & { readonly db: Pick<MachineTools['db'], 'kysely'> },
  also: readonly string[] = [],
  most = mostQueued,
): Promise<number> {
  const { db, clock, settings } = tools
  const found = { now: clock.now(), most, skip: settings.translation.skipTexts }
  return queueUntranslated(db.kysely, wantedLanguages(settings, also), found)
}

type Ready = { readonly engine: MachineEngine; readonly of: unknown }

/** Returns the engine of the current settings; the same object while they are unchanged. */
function readyEngine(tools: MachineTools, stopping: AbortSignal, before?: Ready): Ready | MachineEnd {
  const { machine } = tools.settings.translation
  if (machine.paused) return 'paused'
  if (before?.of === machine) return before
  const { network } = tools
  const made = machineEngine({
    ...tools,
    settings: tools.settings,
    // A shutdown does not wait for a server.
    network: {
      fetch: (url, init) =>
        network.fetch(url, { ...init, signal: AbortSignal.any([stopping, ...(init?.signal ? [init.signal] : [])]) }),
    },
  })
  return made.ok ? { engine: made.engine, of: machine } : made.reason
}

type Count = { calls: number; characters: number; saved: number; refused: number }

function noteInto(count: Count, note: Options['note']) {
  return (call: MachineCall) => {
    count.calls += 1
    if (call.outcome === 'done') count.characters += call.characters
    note?.(call)
  }
}

/** @returns `on` if there may be more, or the time to wait for */
async function oneStep(
  tools: MachineTools,
  engine: MachineEngine,
  options: Options & { stopping: AbortSignal; note: (call: MachineCall) => void },
  count: Count,
): Promise<MachineEnd | 'on' | { until: Date }> {
  const { db, clock, settings } = tools
  const now = clock.now()
  const day = dayIn(settings.timeZone, now)
  const state = await readMachineState(db.kysely)
  // Before anything is asked of it, also how much it takes.
  const held = pauseReason(state, engine.name, now, day)
  if (held.held === 'quota') return 'quota'
  if (held.held === 'pause') return { until: held.until }
  const isSpoken = (area: 'interface' | 'content', to: string) =>
    !isUnsupportedPair(state, engine.name, pairName(pairFor(settings, area, to)), day)
  const wanted = wantedLanguages(settings, options.also)
    .filter(({ tag }) => options.only?.includes(tag) ?? true)
    .map(({ tag, areas }) => ({ tag, areas: areas.filter((area) => isSpoken(area, tag)) }))
  const waiting = await dueOriginals(db.kysely, { now, most: mostDue, wanted })
  if (waiting.length === 0) return 'done'
  const left =
    settings.translation.machine.charactersPerDay - (await dailySpending(db.kysely, day, engine.name)).characters
  await engine.prepare?.()
  const plan = planCall(waiting, engine, settings, left)
  await markQueued(db.kysely, plan.tooLong, { state: 'failed', fault: 'too long' })
  count.saved += await saveMachineTranslations(tools, { name: engine.name, status: 1 }, plan.unspoken)
  if (!plan.batch) return plan.beyondDay ? 'limit' : 'on'

  const places = plan.batch.texts.flatMap(({ of }) => of.map(({ original }) => original))
  const similar = settings.translation.machine.similar ? await similarTo(tools, places) : []
  if (similar.length > 0) {
    count.saved += await saveMachineTranslations(tools, { name: 'similar', status: 3 }, similar)
    return 'on'
  }
  await markQueued(db.kysely, places, { state: 'translating' })
  const turn = await runMachineCall(
    tools,
    engine,
    { ...plan.batch, texts: plan.batch.texts.map(({ sent }) => sent) },
    options,
  )
  if (turn.kind !== 'answered') {
    await markQueued(db.kysely, places, { state: 'queued' })
    if (turn.kind === 'pause') return { until: turn.until }
    return turn.kind
  }
  if (!turn.answer.ok) {
    if (options.stopping.aborted) await markQueued(db.kysely, places, { state: 'queued' })
    else await requeue(tools, plan.batch, turn.answer, turn.failuresBefore)
    return 'on'
  }
  const outcome = await saveAnswers(tools, engine, plan.batch, turn.answer.texts)
  count.saved += outcome.saved
  count.refused += outcome.refused
  return 'on'
}

type Found = { readonly original: QueuedOriginal; readonly translated: string }

const shortest = 50
const mostCompared = 500

/** Finds nearly identical long texts with a translation by a person: they need no engine. */
async function similarTo({ db }: MachineTools, places: readonly QueuedOriginal[]): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const original of places) {
    if (original.original.length < shortest || original.counted) continue
    const reviewed = await reviewedTexts(db.kysely, original, mostCompared)
    const near = reviewed.find((one) => isNearIdentical(one.original, original.original))
    if (near) found.push({ original, translated: near.translated })
  }
  return found
}

/** Saves usable responses; unusable ones are retried once in the other form. */
async function saveAnswers(
  tools: MachineTools,
  engine: MachineEngine,
  batch: Batch,
  answers: readonly string[],
): Promise<{ saved: number; refused: number }> {
  const good: Found[] = []
  let refused = 0
  for (const [at, { of }] of batch.texts.entries()) {
    const answer = answers[at] ?? ''
    for (const { original, text } of of) {
      // A text without a translation is saved unchanged, so that it is not requested again.
      const read = answer.trim() === '' ? { ok: true as const, text: text.unspoken } : text.restore(answer)
      if (read.ok) good.push({ original, translated: read.text })
      else {
        refused += 1
        await markRefused(tools, [original], read.fault)
      }
    }
  }
  return { saved: await saveMachineTranslations(tools, { name: engine.name, status: 1 }, good), refused }
}

async function markRefused({ db }: MachineTools, of: readonly QueuedOriginal[], fault: string): Promise<void> {
  const again = of.filter((original) => !isTextFault(original.fault))
  const failed = of.filter((original) => isTextFault(original.fault))
  await markQueued(db.kysely, again, { state: 'queued', tries: 1, fault: textFault(fault) })
  await markQueued(db.kysely, failed, { state: 'failed', tries: 1, fault: textFault(fault) })
}

/** Saves machine translations; a person's translation is not overwritten. @returns the number saved */
async function saveMachineTranslations(
  tools: MachineTools,
  by: { readonly name: string; readonly status: 1 | 3 },
  texts: readonly Found[],
): Promise<number> {
  if (texts.length === 0) return 0
  const results = await saveTranslations(
    tools,
    texts.map(({ original: { originalId, language, counted }, translated }) => ({
      // A machine provides a single form for all counts; a person adds the others.
      ...{ originalId, language, form: counted ? ('other' as const) : ('' as const), translated },
      ...{ status: by.status, revision: 0, engine: by.name, by: null },
    })),
  )
  const unfit = texts.flatMap(({ original }, at) => {
    const result = results[at]
    return result && !result.ok && (result.reason === 'places' || result.reason === 'too-long')
      ? [{ original, reason: result.reason }]
      : []
  })
  for (const { original, reason } of unfit) await markRefused(tools, [original], reason)
  const settled = texts.filter(({ original }) => !unfit.some((one) => one.original === original))
  await removeQueued(
    tools.db.kysely,
    settled.map(({ original }) => original),
  )
  return results.filter((result) => result.ok).length
}

/** Runs after a call without translations. */
async function requeue(
  { db, clock }: MachineTools,
  { texts }: Batch,
  answer: MachineAnswer & { ok: false },
  failuresBefore: number,
): Promise<void> {
  const of = texts.flatMap((sent) => sent.of.map(({ original }) => original))
  const alone = texts.length === 1
  // These failures are independent of the texts.
  if (answer.kind !== 'refused' && answer.kind !== 'failed' && answer.kind !== 'lost') {
    return markQueued(db.kysely, of, { state: 'queued' })
  }
  if (answer.kind === 'refused') {
    const state = alone ? 'failed' : 'queued'
    return markQueued(db.kysely, of, { state, tries: 1, fault: refusedFault })
  }
  const tries = 1 + Math.max(...of.map(({ attempts }) => attempts))
  const toBlame = alone && failuresBefore === 0 && tries >= mostTries
  // The fault of a response decides about a text's form: a later failure of the engine must not overwrite it.
  const marked = of.filter(({ fault }) => isTextFault(fault))
  const unmarked = of.filter(({ fault }) => !isTextFault(fault))
  const forgiven = new Date(clock.now().getTime() + dayMs)
  const change = toBlame
    ? { state: 'failed' as const, tries: 1, notBefore: forgiven }
    : { state: 'queued' as const, tries: 1 }
  await markQueued(db.kysely, marked, change)
  await markQueued(db.kysely, unmarked, { ...change, fault: engineFault })
}
