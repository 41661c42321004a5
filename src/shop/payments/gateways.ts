import { cardMethodId, offlineMethods, providerMethods, walletMethodId } from '#contract/payments/constants.ts'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { readSettingRows } from '#database/operations/configuration.ts'
import { changeStoredSetting } from '../operations/settings/change-stored-setting.ts'
import { readSettings } from '../operations/settings/shop-configuration.ts'
import type { Tools } from '../shared/tools.ts'
import { methodTitle } from './operation/payment-methods.ts'

type GatewayId = (typeof providerMethods)[number] | (typeof offlineMethods)[number]
type Field = 'enabled' | 'title' | 'description' | 'instructions'

/** A payment method as the merchant sets it up. */
export type Gateway = {
  readonly id: GatewayId
  readonly enabled: boolean
  readonly title: string
  readonly description: string
  /** Null: the method has none. */
  readonly instructions: string | null
  /** Refunds go through the provider. */
  readonly refunds: boolean
  /** The provider's credentials are missing. */
  readonly needsSetup: boolean
}

export const gatewayIds: readonly GatewayId[] = [...providerMethods, ...offlineMethods]

/** Settings of each gateway; a field without one cannot be changed. */
function keysOf(id: GatewayId): Partial<Record<Field, string>> {
  if (id === walletMethodId) return { enabled: 'paypal.enabled' }
  const root = id === cardMethodId ? 'paypal.cards' : `payments.${id}`
  const keys = { enabled: `${root}.enabled`, title: `${root}.title`, description: `${root}.description` }
  return id === cardMethodId ? keys : { ...keys, instructions: `${root}.instructions` }
}

function gatewayOf(settings: ShopSettings, id: GatewayId, hasProvider: boolean): Gateway {
  const isOfProvider = id === walletMethodId || id === cardMethodId
  const shared = {
    id,
    title: methodTitle(settings, id) ?? id,
    refunds: isOfProvider,
    needsSetup: isOfProvider && !hasProvider,
  }
  const { paypal, payments } = settings
  if (id === walletMethodId) return { ...shared, enabled: paypal.enabled, description: '', instructions: null }
  if (id === cardMethodId) {
    const { enabled, description } = paypal.cards
    return { ...shared, enabled: paypal.enabled && enabled, description, instructions: null }
  }
  const { enabled, description, instructions } = payments[id]
  return { ...shared, enabled, description, instructions }
}

/** Returns the payment methods as they are stored now, in the order of the checkout. */
export async function readGateways({ db, paypal }: Pick<Tools, 'db' | 'paypal'>): Promise<readonly Gateway[]> {
  const settings = readSettings(await readSettingRows(db.kysely), 'left-out')
  return gatewayIds.map((id) => gatewayOf(settings, id, paypal !== null))
}

/** Returns the texts of a new shop. */
export const defaultGateway = (id: GatewayId): Gateway => gatewayOf(defaults, id, true)
const defaults = shopSettings.parse({})

export type GatewayChange = { readonly [Name in Field]?: (Name extends 'enabled' ? boolean : string) | undefined }

/** Changes a payment method, member by member. @returns the first problem with its member; null on success */
export async function changeGateway(
  tools: Pick<Tools, 'db' | 'pageSlugs'>,
  id: GatewayId,
  change: GatewayChange,
): Promise<{ readonly member: Field; readonly problem: string } | null> {
  const keys = keysOf(id)
  // The names of the type.
  for (const member of ['enabled', 'title', 'description', 'instructions'] as const) {
    const value = change[member]
    if (value === undefined) continue
    const key = keys[member]
    if (!key) return { member, problem: 'cannot be changed for this payment method' }
    const changed = await changeStoredSetting(tools, key, () => value)
    if (!changed.ok) return { member, problem: changed.problem }
  }
  return null
}
