import type { Hono } from 'hono'
import { Refusal } from '../rest/error-bodies.ts'
import type { Env } from '../rest/operation.ts'
import { type CardRequest, readCard } from '../vault/cards.ts'
import { mintSingleUseToken } from '../vault/vault.ts'
import type { World } from '../world/world.ts'
import { type FastlaneAddress, findMember, type Member, restForm, tokenView } from './fastlane-members.ts'

const TRIES = 3

/** A shopper whose address was looked up. */
type Session = { member: Member; proven: boolean; triesLeft: number }
type Given = Record<string, unknown>

type NewCard = {
  number: string
  expiry: string
  securityCode: string
  name?: string
  billingAddress?: Partial<FastlaneAddress['address']>
  email?: string
}

class ApiError extends Error {
  readonly status: 400 | 401 | 403
  constructor(status: 400 | 401 | 403, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * What the frames of accelerated checkout ask, on the provider's own origin, with the page's client token. Who has not
 * given the code gets nothing of a member's data.
 */
export function serveFastlaneApi(app: Hono<Env>, world: World): void {
  const sessions = new Map<string, Session>()

  function sessionOf({ customerContextId }: Given): Session | undefined {
    return sessions.get(text(customerContextId))
  }
  function provenSession(given: Given): Session {
    const session = sessionOf(given)
    if (!session?.proven) throw new ApiError(403, 'not authenticated')
    return session
  }
  const now = () => world.clock.now()
  const paymentToken = ({ member }: Session, index: number) => {
    const card = member.cards[index]
    if (!card) throw new ApiError(400, 'no such card')
    return tokenView(mintSingleUseToken(world, readCard(card, now()), member.email))
  }

  const calls: Record<string, (given: Given) => object> = {
    /** Is the token one of ours, for the domain of the page? */
    hello: () => ({ active: world.eligibility.get('fastlane') !== false }),
    lookup: ({ email }) => {
      const member = findMember(text(email))
      if (!member) return { customerContextId: '' }
      const customerContextId = world.ids.uuid()
      sessions.set(customerContextId, { member, proven: false, triesLeft: TRIES })
      return { customerContextId }
    },
    challenge: (given) => {
      const session = sessionOf(given)
      if (!session) return { known: false }
      const phone = session.member.addresses[0]?.phoneNumber.nationalNumber ?? '42'
      return { known: true, leaves: session.member.code === 'leaves', phoneEnding: phone.slice(-2) }
    },
    prove: (given) => {
      const session = sessionOf(given)
      const code = text(given.code)
      if (!session || session.triesLeft === 0) return { state: 'failed' }
      if (/^\d{6}$/.test(code) && code !== '000000' && session.member.code === 'any') {
        session.proven = true
        return { state: 'succeeded' }
      }
      session.triesLeft -= 1
      return session.triesLeft === 0 ? { state: 'failed' } : { state: 'wrong', triesLeft: session.triesLeft }
    },
    profile: (given) => {
      const { member } = provenSession(given)
      const cards = member.cards.map(({ number = '', expiry = '' }) => {
        const { brand, lastDigits } = readCard({ number, expiry }, now())
        return { brand, lastDigits, expiry }
      })
      return { name: member.name, addresses: member.addresses, cards }
    },
    /** A token of one of the member's cards, each time a new one: it pays once. */
    card: (given) => paymentToken(provenSession(given), Number(given.index)),
    'new card': (given) => {
      // Written by the frame of the form; what it holds is checked when the card is read.
      const { number, expiry, securityCode, name, billingAddress, email } = given as unknown as NewCard
      const request: CardRequest = {
        number: text(number),
        expiry: text(expiry),
        security_code: text(securityCode),
        ...(name ? { name: text(name) } : {}),
        ...(billingAddress ? { billing_address: restForm(billingAddress) } : {}),
      }
      return tokenView(mintSingleUseToken(world, readCard(request, now()), email))
    },
  }

  app.post('/sdk/fastlane/api/:call', async (context) => {
    try {
      const run = Object.entries(calls).find(([name]) => name === context.req.param('call'))?.[1]
      if (!run) throw new ApiError(400, 'no such call')
      const fault = world.faults.take('sdk.fastlane', 'POST', context.req.path)
      if (fault?.kind === 'delay') await world.sleep(fault.ms)
      if (fault?.kind === 'status') return context.json({ error: 'asked for by the control API' }, 503)
      requireClientToken(world, context.req.header('authorization'), context.req.header('x-page-host') ?? '')
      const given: unknown = await context.req.json()
      if (typeof given !== 'object' || given === null) throw new ApiError(400, 'not an object')
      return context.json(run({ ...given }), 200, { 'cache-control': 'no-store' })
    } catch (error) {
      if (error instanceof ApiError) return context.json({ error: error.message }, error.status)
      if (error instanceof Refusal) return context.json({ error: error.issues[0]?.issue ?? error.message }, 400)
      throw error
    }
  })
}

function requireClientToken(world: World, header: string | undefined, host: string): void {
  const token = world.clientTokens.get(/^Bearer (\S+)$/.exec(header ?? '')?.[1] ?? '')
  if (!token || token.expiresMs <= world.clock.now().getTime()) throw new ApiError(401, 'Invalid SDK client token')
  if (token.domains.some((domain) => host === domain || host.endsWith(`.${domain}`))) return
  throw new ApiError(403, `The SDK client token is not for the domain ${host}`)
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
