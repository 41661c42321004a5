import type { World } from '../world/world.ts'
import type { Authorization } from './order.ts'
import { authorizationResource } from './order-view.ts'

/** Lets go of reserved money, asked for or because its time is over, and tells the shop. */
export function voidAuthorization(world: World, authorization: Authorization): void {
  authorization.status = 'VOIDED'
  authorization.updatedMs = world.clock.now().getTime()
  const order = world.orders.get(authorization.orderId)
  if (order?.authorizationIds.every((id) => world.authorizations.get(id)?.status === 'VOIDED')) order.status = 'VOIDED'
  world.webhooks.emit({
    type: 'PAYMENT.AUTHORIZATION.VOIDED',
    resourceType: 'authorization',
    summary: 'A payment authorization was voided',
    resource: () => authorizationResource(world, authorization),
  })
}

/** Ends every authorisation whose 29 days are over. A rest of one that was collected in part ends without a word. */
export function endOldAuthorizations(world: World): void {
  const nowMs = world.clock.now().getTime()
  for (const authorization of world.authorizations.values()) {
    if (authorization.expired || nowMs <= authorization.expiresMs) continue
    authorization.expired = true
    if (authorization.status === 'CREATED') voidAuthorization(world, authorization)
  }
}
