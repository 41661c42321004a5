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

/** Why a run ended. */
export type MachineEnd =
  /** Nothing waits any more. */
  | 'done'
  | 'off'
  | 'no-key'
  | 'no-address'
  | 'paused'
  /** Another process is at it. */
  | 'busy'
  /** The day's characters are used up. */
  | 'limit'
  | 'quota'
  /** The engine is left alone for a while after failures. */
  | 'held'
  /** Its time was over: the next run goes on. */
  | 'time'

export type MachineRun = {
  readonly end: MachineEnd
  readonly calls: number
  readonly characters: number
  /** How many translations were kept, */
  readonly saved: number
  /** and how many answers were not fit to be. */
  readonly refused: number
}

type Options = {
  /** No call begins after it. */
  readonly until: Date
  readonly stopping?: AbortSignal
  readonly note?: (call: MachineCall) => void
  /** Languages that nobody sees yet, to be translated all the same. */
  readonly also?: readonly string[]
  /** These alone; left out: all. */
  readonly only?: readonly string[]
}

/** Put down at most at a time: the next minute brings the next. */
const mostQueued = 2_000
const mostDue = 400
/** A text that failed alone so often, while others did not, is what the engine fails at. */
const mostTries = 5
/** A short pause is waited for; a longer one is for a later run. */
const longestWaitMs = 60_000
const dayMs = 24 * 60 * 60_000

/**
 * Finds what is not translated yet, and translates it until nothing is left, the day's characters are used up or the time
 * is over. One process of a shop at a time; one that dies leaves nothing behind that the next does not take up.
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
      // The merchant may have turned it off or to another meanwhile.
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

/** Puts down what is wanted and not there. @returns how many texts */
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

/** The engine as the settings have it now; the same as before where they have not changed. */
function readyEngine(tools: MachineTools, stopping: AbortSignal, before?: Ready): Ready | MachineEnd {
  const { machine } = tools.settings.translation
  if (machine.paused) return 'paused'
  if (before?.of === machine) return before
  const { network } = tools
  const made = machineEngine({
    ...tools,
    settings: tools.settings,
    // Whoever stops the shop does not wait for a server.
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

/** @returns `on` when there may be more, or until when to wait */
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
  count.saved += await keep(tools, { name: engine.name, status: 1 }, plan.unspoken)
  if (!plan.batch) return plan.beyondDay ? 'limit' : 'on'

  const places = plan.batch.texts.flatMap(({ of }) => of.map(({ original }) => original))
  const similar = settings.translation.machine.similar ? await similarTo(tools, places) : []
  if (similar.length > 0) {
    count.saved += await keep(tools, { name: 'similar', status: 3 }, similar)
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
    else await putBack(tools, plan.batch, turn.answer, turn.failuresBefore)
    return 'on'
  }
  const outcome = await takeIn(tools, engine, plan.batch, turn.answer.texts)
  count.saved += outcome.saved
  count.refused += outcome.refused
  return 'on'
}

type Found = { readonly original: QueuedOriginal; readonly translated: string }

const shortest = 50
const mostCompared = 500

/** Long texts of which a person has said what is nearly the same: they need no engine. */
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

/** Keeps the answers that are fit to be kept; the others are tried once more, otherwise formatted. */
async function takeIn(
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
      // What has no translation is kept as it is, so that it is not asked for again.
      const read = answer.trim() === '' ? { ok: true as const, text: text.unspoken } : text.restore(answer)
      if (read.ok) good.push({ original, translated: read.text })
      else {
        refused += 1
        await refuse(tools, [original], read.fault)
      }
    }
  }
  return { saved: await keep(tools, { name: engine.name, status: 1 }, good), refused }
}

async function refuse({ db }: MachineTools, of: readonly QueuedOriginal[], fault: string): Promise<void> {
  const again = of.filter((original) => !isTextFault(original.fault))
  const failed = of.filter((original) => isTextFault(original.fault))
  await markQueued(db.kysely, again, { state: 'queued', tries: 1, fault: textFault(fault) })
  await markQueued(db.kysely, failed, { state: 'failed', tries: 1, fault: textFault(fault) })
}

/** Keeps translations as a machine's; where a person was quicker theirs stays. @returns how many were kept */
async function keep(
  tools: MachineTools,
  by: { readonly name: string; readonly status: 1 | 3 },
  texts: readonly Found[],
): Promise<number> {
  if (texts.length === 0) return 0
  const results = await saveTranslations(
    tools,
    texts.map(({ original: { originalId, language, counted }, translated }) => ({
      // One form for all counts is what a machine can say; a person gives the others.
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
  for (const { original, reason } of unfit) await refuse(tools, [original], reason)
  const settled = texts.filter(({ original }) => !unfit.some((one) => one.original === original))
  await removeQueued(
    tools.db.kysely,
    settled.map(({ original }) => original),
  )
  return results.filter((result) => result.ok).length
}

/** After a call that brought nothing. */
async function putBack(
  { db, clock }: MachineTools,
  { texts }: Batch,
  answer: MachineAnswer & { ok: false },
  failuresBefore: number,
): Promise<void> {
  const of = texts.flatMap((sent) => sent.of.map(({ original }) => original))
  const alone = texts.length === 1
  // These say nothing of the texts.
  if (answer.kind !== 'refused' && answer.kind !== 'failed' && answer.kind !== 'lost') {
    return markQueued(db.kysely, of, { state: 'queued' })
  }
  if (answer.kind === 'refused') {
    const state = alone ? 'failed' : 'queued'
    return markQueued(db.kysely, of, { state, tries: 1, fault: refusedFault })
  }
  const tries = 1 + Math.max(...of.map(({ attempts }) => attempts))
  const toBlame = alone && failuresBefore === 0 && tries >= mostTries
  // What was wrong with an answer decides how a text is sent: that must not be forgotten over a failure of the engine.
  const marked = of.filter(({ fault }) => isTextFault(fault))
  const unmarked = of.filter(({ fault }) => !isTextFault(fault))
  const forgiven = new Date(clock.now().getTime() + dayMs)
  const change = toBlame
    ? { state: 'failed' as const, tries: 1, notBefore: forgiven }
    : { state: 'queued' as const, tries: 1 }
  await markQueued(db.kysely, marked, change)
  await markQueued(db.kysely, unmarked, { ...change, fault: engineFault })
}
