import type { Luck } from './chance.ts'

/** What befalls one call to the provider. */
export type CallFault =
  | 'none'
  | 'refused'
  | 'cut before'
  | 'done, then lost'
  | 'done, answered late'
  | 'never arrives'
  | 'arrives late'
  | 'status 500'
  | 'status 503'
  | 'status 429'
  | 'done, then 500'
  | 'half an answer'
  | 'token expired'
  | 'declined'
  | 'pending review'
  | 'process dies before'
  | 'process dies after'

const anyCall: readonly [CallFault, ...CallFault[]] = [
  'refused',
  'cut before',
  'done, then lost',
  'done, then lost',
  'done, answered late',
  'never arrives',
  'arrives late',
  'status 500',
  'status 503',
  'status 429',
  'done, then 500',
  'half an answer',
  'token expired',
  'process dies before',
  'process dies after',
]
const captures: readonly [CallFault, ...CallFault[]] = ['declined', 'pending review', 'done, then lost', 'arrives late']

export function faultOfCall(luck: Luck, operation: string, share: number): CallFault {
  const isCapture = operation.endsWith('/capture')
  if (!luck.percent(isCapture ? share * 2 : share)) return 'none'
  return isCapture && luck.percent(50) ? luck.pick(captures) : luck.pick(anyCall)
}

/** What befalls one notification. */
export type NoticeFault = 'none' | 'lost' | 'late' | 'twice' | 'five times' | 'forged'

export function faultOfNotice(luck: Luck): NoticeFault {
  return luck.pick(['none', 'none', 'none', 'none', 'lost', 'late', 'twice', 'five times', 'forged'])
}

/** How money comes that is not what was asked for: the provider is wrong as well, now and then. */
export type Oddity = 'takes a cent less' | 'takes another currency' | 'pays somebody else'

export function oddityOf(luck: Luck): Oddity | null {
  return luck.percent(5) ? luck.pick(['takes a cent less', 'takes another currency', 'pays somebody else']) : null
}
