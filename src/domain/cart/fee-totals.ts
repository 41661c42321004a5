import { divideRounded } from '../money/round.ts'
import type { ItemTotals } from './item-totals.ts'
import { total, type Units } from './precision.ts'
import { addTo, taxesByRate } from './taxes-by-rate.ts'
import type { AddedInput } from './totals-input.ts'

export type ExactFee = {
  readonly name: string
  readonly amount: Units
  readonly tax: Units
  readonly taxes: ReadonlyMap<number, Units>
}

/**
 * Fees in their order. A rebate (negative fee) takes at most what items, shipping and the fees before it come to, and
 * gives its tax back over the tax classes in proportion to what was spent in each, like a true discount.
 */
export function feeTotals(items: ItemTotals, added: AddedInput, shippingTotal: Units): ExactFee[] {
  const { precision, input } = items
  const taxesApply = input.switches.taxesEnabled && !input.switches.vatExempt
  const spentByClass = new Map(items.exact.totalByClass)
  for (const { cost, taxable } of added.shipping)
    addTo(spentByClass, taxable ? added.shippingTaxClass : null, precision.units(cost))

  let running = 0n
  return added.fees.map((fee) => {
    const most = -precision.whole(items.exact.total + running + shippingTotal)
    const asked = precision.units(fee.amount)
    const amount = asked < 0n && asked < most ? most : asked
    running += amount

    const taxes = new Map<number, Units>()
    const charge = (taxClass: string, base: Units) => {
      const rates = input.rates.customer[taxClass] ?? []
      for (const [rateId, tax] of taxesByRate(base, rates, (exact) => exact)) addTo(taxes, rateId, tax)
    }
    if (taxesApply && amount < 0n) {
      const spent = total(spentByClass.values())
      for (const [taxClass, part] of spentByClass) {
        if (taxClass !== null && spent > 0n) charge(taxClass, divideRounded(amount * part, spent, 'half-up'))
      }
    } else if (taxesApply && fee.taxable) {
      charge(fee.taxClass, amount)
    }
    if (amount > 0n) addTo(spentByClass, fee.taxable ? fee.taxClass : null, amount)

    const rounded = new Map([...taxes].map(([rateId, tax]) => [rateId, precision.lineTax(tax)]))
    return { name: fee.name, amount, tax: total(rounded.values()), taxes: rounded }
  })
}

/**
 * Fees whose rebates give no more tax back than keeps the sum at zero: the share of a class may exceed the tax that was
 * charged in it, as where shipping is of a class but not taxed by its rates.
 * @param before items, shipping and their taxes
 */
export function bearableFees(fees: readonly ExactFee[], before: Units): ExactFee[] {
  let missing = -total([before, ...fees.flatMap(({ amount, tax }) => [amount, tax])])
  return fees
    .toReversed()
    .map((fee) => {
      if (missing <= 0n || fee.tax >= 0n) return fee
      const taxes = new Map(fee.taxes)
      for (const [rateId, tax] of fee.taxes) {
        const kept = tax < 0n && missing > 0n ? (-tax < missing ? -tax : missing) : 0n
        taxes.set(rateId, tax + kept)
        missing -= kept
      }
      return { ...fee, taxes, tax: total(taxes.values()) }
    })
    .reverse()
}
