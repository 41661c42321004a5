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
 * Calculates fees in their order. A rebate (negative fee) is limited to the sum of items, shipping and earlier fees,
 * and reduces tax over the tax classes in proportion to their amounts, like a true discount.
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
    const requested = precision.units(fee.amount)
    const amount = requested < 0n && requested < most ? most : requested
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
 * Limits the tax that rebates return, so that the total is not negative: a class's share may exceed its charged tax, as
 * where shipping has the class but no tax.
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
