import { type V3Gateway, v3Gateway, v3GatewayInput, v3GatewaysQuery } from '#contract/payments/v3-gateways.ts'
import { changeGateway, defaultGateway, type Gateway, gatewayIds, readGateways } from '#shop/payments/gateways.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { invalidParam, unknownId } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'

/** `wc/v3/payment_gateways` */
export const v3GatewayCalls = v3Resource({
  path: 'payment_gateways',
  title: 'payment gateway',
  textId: true,
  item: v3Gateway,
  list: {
    query: v3GatewaysQuery,
    async run({ tools }, query) {
      const records = (await readGateways(tools)).map(gatewayRecord)
      const start = query.offset ?? query.per_page * (query.page - 1)
      return { total: records.length, records: records.slice(start, start + query.per_page) }
    },
  },
  get: recordOf,
  update: {
    input: v3GatewayInput,
    async run(context, id: string, { enabled, title, description, order, settings = {} }) {
      const known = gatewayIds.find((one) => one === id)
      if (!known) throw unknownId('payment_gateway')
      if (order !== undefined && order !== gatewayIds.indexOf(known)) {
        throw invalidParam('order', `is always ${gatewayIds.indexOf(known)}: the shop has a fixed order`)
      }
      const texts = new Set(Object.keys(settingsOf(defaultGateway(known))))
      const strange = Object.keys(settings).find((name) => !texts.has(name))
      if (strange !== undefined) throw invalidParam('settings', `"${strange}" is unknown`)
      const { title: ownTitle, description: ownDescription, instructions } = settings
      const change = { enabled, title: title ?? ownTitle, description: description ?? ownDescription, instructions }
      const fault = await changeGateway(context.tools, known, change)
      if (fault) throw invalidParam(fault.member, fault.problem)
      await context.record('settings change', `payment-gateway:${known}`)
      return recordOf(context, id)
    },
  },
})

async function recordOf({ tools }: V3Context, id: string): Promise<V3Gateway> {
  const record = (await readGateways(tools)).map(gatewayRecord).find((one) => one.id === id)
  if (!record) throw unknownId('payment_gateway')
  return record
}

const methods: Readonly<Record<Gateway['id'], { readonly title: string; readonly description: string }>> = {
  ppcp: { title: 'PayPal', description: 'Payments with a PayPal account.' },
  ppcp_card: { title: 'Cards', description: 'Card payments through PayPal.' },
  bacs: { title: 'Direct bank transfer', description: 'Transfers to the bank accounts of the shop.' },
  cheque: { title: 'Check payments', description: 'Checks by mail.' },
  cod: { title: 'Cash on delivery', description: 'Payment when the order is delivered.' },
}

const gatewayRecord = (gateway: Gateway, order: number): V3Gateway => ({
  id: gateway.id,
  title: gateway.title,
  description: gateway.description,
  order,
  enabled: gateway.enabled,
  method_title: methods[gateway.id].title,
  method_description: methods[gateway.id].description,
  method_supports: gateway.refunds ? ['products', 'refunds', 'tokenization'] : ['products'],
  settings: settingsOf(gateway),
  needs_setup: gateway.needsSetup,
})

/** Texts that the merchant may change; the wallet has its brand alone. */
function settingsOf(gateway: Gateway): V3Gateway['settings'] {
  const { id, title, description, instructions } = gateway
  if (id === 'ppcp') return {}
  const usual = defaultGateway(id)
  const field = (name: string, label: string, value: string, initial: string) => ({
    id: name,
    label,
    description: '',
    type: name === 'title' ? ('text' as const) : ('textarea' as const),
    value,
    default: initial,
    tip: '',
    placeholder: '',
  })
  return {
    title: field('title', 'Title', title, usual.title),
    description: field('description', 'Description', description, usual.description),
    ...(instructions === null
      ? {}
      : { instructions: field('instructions', 'Instructions', instructions, usual.instructions ?? '') }),
  }
}
