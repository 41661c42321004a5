/** A page allows one attempt to pay by wallet at a time. An attribute tells all its buttons and scripts. */
const attribute = 'data-wallet-under-way'

export const walletUnderWay = (): boolean => document.body.hasAttribute(attribute)

export function markUnderWay(underWay: boolean): void {
  document.body.toggleAttribute(attribute, underWay)
}
