import { walletOrderField } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { submitCart } from '#tests/support/cart/cart.ts'
import { type CheckoutAnswer, Shopper } from '#tests/support/shopper.ts'
import { logIn, sitsDownElsewhere } from './accounts.ts'
import { payByCard, payBySavedCard } from './cards.ts'
import { changeCart } from './cart-changes.ts'
import {
  again,
  checkoutAnswer,
  Gone,
  look,
  orderReceivedIn,
  readConfirmation,
  type Street,
  shown,
  tokenIn,
  type Visit,
} from './visit.ts'

const goods: readonly [string, ...string[]] = ['MUG', 'MUG', 'BOWL', 'ONE', 'CARD', 'LAST', 'SHIRT-SAND']
type Way = 'express' | 'checkout' | 'card' | 'kept card'
const pay: Readonly<Record<Way, (visit: Visit) => Promise<'bought' | 'left'>>> = {
  express: payExpress,
  checkout: payFromCheckout,
  card: payByCard,
  'kept card': payBySavedCard,
}
const ways: readonly [Way, ...Way[]] = ['checkout', 'checkout', 'checkout', 'express', 'card']
const knownWays: readonly [Way, ...Way[]] = ['checkout', 'express', 'card', 'kept card', 'kept card']

/** One person who wants to buy one cart, with all the patience and the clumsiness of people. */
export async function purchase(street: Street, name: string, from: string): Promise<'bought' | 'left'> {
  const { luck, tally } = street
  const shopper = new Shopper(street.world, name, from)
  const visit: Visit = { street, shopper, seen: null, approved: new Set(), strayed: false, hasAccount: false }
  try {
    await fillCart(visit)
    if (luck.percent(25)) await changeCart(visit)
    if (luck.percent(25)) await logIn(visit)
    if (visit.hasAccount && luck.percent(25)) await sitsDownElsewhere(visit, name, from)
    const way = luck.pick(visit.hasAccount ? knownWays : ways)
    tally.count(`way: ${way}`)
    const end = await pay[way](visit)
    tally.count(`shopper: ${end}`)
    return end
  } catch (error) {
    if (
      !(error instanceof Gone) &&
      !(error instanceof Error && /does not sell|connection|the shop/.test(error.message))
    ) {
      tally.violated('P6', null, `a shopper met ${error instanceof Error ? error.stack : String(error)}`)
    }
    tally.count('shopper: gave up')
    return 'left'
  }
}

async function fillCart(visit: Visit): Promise<void> {
  const { street, shopper } = visit
  const { luck, tally } = street
  const add = () =>
    shopper.add(luck.pick(goods), luck.between(1, 3)).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.includes('does not sell'))) throw error
    })
  await again(street, add)
  if (luck.percent(30)) await again(street, add)
  if (luck.percent(10)) {
    tally.count('move: adds twice at once')
    await Promise.all([again(street, add), again(street, add)])
  }
  if ((await again(street, () => shopper.pieces())) === 0) throw new Gone()
  if (luck.percent(20)) {
    tally.count('move: coupon')
    await again(street, () =>
      submitCart(shopper, { coupon_code: luck.pick(['tenth', 'five', 'few']), apply_coupon: '1' }),
    )
  }
}

/** Presses the button; a nervous finger presses it twice, and somebody has it open in two tabs. */
async function press(visit: Visit): Promise<CheckoutAnswer[]> {
  const { street, shopper } = visit
  // What was approved before is kept, and its money is taken by this button, beside the total that stands there.
  for (const token of visit.approved) street.agreed(token, visit.seen)
  const once = async (who: Shopper) => {
    const answer = await again(street, () => who.placeOrder())
    if (answer.result === 'success' && answer.order_id) await street.placed(answer.order_id)
    return answer
  }
  if (street.luck.percent(15)) {
    street.tally.count('move: double press')
    return Promise.all([once(shopper), once(shopper.anotherTab())])
  }
  return [await once(shopper)]
}

async function payFromCheckout(visit: Visit): Promise<'bought' | 'left'> {
  const { street } = visit
  const { luck, turns } = street
  for (let tries = 0; tries < 5; tries += 1) {
    const html = await look(visit)
    if (!html.includes('name="checkout"') && !html.includes('intention')) return 'left'
    if (luck.percent(10)) await turns.pause(luck.between(60_000, 600_000), 'a shopper thinks')
    const answers = await press(visit)
    const received = answers.map(orderReceivedIn).find((order) => order !== null)
    if (received) {
      if (await readConfirmation(visit, received)) return 'bought'
      continue
    }
    const tokens = [...new Set(answers.flatMap((answer) => tokenIn(answer.redirect) ?? []))]
    if (tokens.length === 0) {
      await turns.pause(luck.between(1_000, 60_000), 'a shopper reads why not')
      continue
    }
    const end = await atTheWallet(visit, tokens)
    if (end) return end
  }
  return 'left'
}

async function payExpress(visit: Visit): Promise<'bought' | 'left'> {
  const { street, shopper } = visit
  const response = await again(street, async () => {
    const answer = await shopper.post(urls.walletStart(), {})
    if (answer.status >= 500) throw new Error(`the shop answered ${answer.status}`)
    return answer
  })
  const token = tokenIn(response.headers.get('location'))
  if (!token) return payFromCheckout(visit)
  const end = await atTheWallet(visit, [token])
  return end ?? payFromCheckout(visit)
}

/** @returns null where the shopper stands before the checkout again */
async function atTheWallet(visit: Visit, tokens: readonly string[]): Promise<'bought' | 'left' | null> {
  const { street, shopper } = visit
  const { luck, tally, turns } = street
  await turns.pause(
    luck.percent(5) ? luck.between(30 * 60_000, 90 * 60_000) : luck.between(2_000, 60_000),
    'a shopper is at the wallet',
  )
  if (luck.percent(8)) {
    tally.count('move: cancels at the wallet')
    await again(street, () => shopper.request(`${urls.walletCancel()}?token=${tokens[0]}`))
    if (luck.percent(30)) return 'left'
    return null
  }
  // Each of its windows is open: somebody who strayed may say yes in both.
  const open = luck.percent(10) ? [...new Set([...tokens, ...(await stray(visit))])] : tokens
  let approved = false
  for (const token of open) {
    const shown = await street.approve(token, luck.percent(8) ? 'declined' : 'buyer')
    if (shown === null) continue
    approved = true
    visit.approved.add(token)
  }
  if (luck.percent(8)) await stray(visit)
  if (luck.percent(10)) {
    tally.count('move: never comes back')
    return 'left'
  }
  if (!approved && luck.percent(50)) return null
  await turns.pause(luck.between(100, 4_000), 'a shopper is sent back')
  const back = (who: Shopper, token: string) => again(street, () => who.returnFromWallet(token))
  const wanted = open.map((token) => [shopper, token] as const)
  if (luck.percent(15)) {
    tally.count('move: comes back twice')
    wanted.push(...open.map((token) => [shopper.anotherTab(), token] as const))
  }
  const other = visit.hasAccount && luck.percent(30) ? takesBack(visit) : null
  const places = await Promise.all(wanted.map(([who, token]) => back(who, token)))
  await other
  for (const place of places) {
    const order = /\/order-received\/(\d+)\//.exec(place)
    if (order && (await readConfirmation(visit, { id: Number(order[1]), place }))) return 'bought'
  }
  if (places.some((place) => place.includes('order-received'))) return 'left'
  // The final total stands on the checkout now, and the approval is kept: its button takes the money.
  if (luck.percent(85)) {
    await look(visit)
    const [token = ''] = tokens
    street.agreed(token, visit.seen)
    const answer = await again(street, () =>
      shopper
        .post(urls.wcAjax('checkout'), { ...shopper.form('ppcp-gateway'), ...shown(visit), [walletOrderField]: token })
        .then(checkoutAnswer),
    )
    const received = orderReceivedIn(answer)
    if (received && (await readConfirmation(visit, received))) return 'bought'
    const next = tokenIn(answer.redirect)
    if (next && luck.percent(70)) return atTheWallet(visit, [next])
  }
  return null
}

/**
 * Something else in another tab: the cart changes while the wallet is open.
 * @returns the wallet orders of another press there
 */
async function stray(visit: Visit): Promise<string[]> {
  const { street, shopper } = visit
  street.tally.count('move: changes the cart meanwhile')
  visit.strayed = true
  const tab = shopper.anotherTab()
  await again(street, () => tab.add('BOWL', 1).catch(() => undefined))
  if (!street.luck.percent(60)) return []
  await again(street, () => tab.openCheckout())
  const { redirect } = await again(street, () => tab.placeOrder())
  const token = tokenIn(redirect)
  if (token === null || !street.luck.percent(40)) return []
  street.tally.count('move: two wallets open')
  return [token]
}

/** A customer takes an order back in another tab, at the moment in which it is paid. */
async function takesBack({ street, shopper }: Visit): Promise<void> {
  const tab = shopper.anotherTab()
  const page = await again(street, async () => {
    const response = await tab.request('/my-account/orders/')
    if (response.status >= 500) throw new Error(`the shop answered ${response.status}`)
    return response.text()
  })
  const link = /href="([^"]*cancel_order[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
  if (!link) return
  street.tally.count('move: takes the order back')
  await again(street, async () => {
    const { status } = await tab.request(link)
    if (status >= 500) throw new Error(`the shop answered ${status}`)
  })
}
