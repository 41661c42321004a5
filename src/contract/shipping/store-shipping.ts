import { z } from 'zod'
import { minorText, storeCurrency } from '../shared/store-money.ts'

export const storeRate = z.object({
  ...storeCurrency,
  rate_id: z.string(),
  name: z.string(),
  description: z.string(),
  delivery_time: z.string(),
  price: minorText,
  taxes: minorText,
  instance_id: z.number().int(),
  method_id: z.string(),
  meta_data: z.array(z.object({ key: z.string(), value: z.string() })),
  selected: z.boolean(),
})

/** A package of the cart with its rates. */
export const storePackage = z.object({
  package_id: z.number().int(),
  name: z.string(),
  destination: z.object({
    address_1: z.string(),
    address_2: z.string(),
    city: z.string(),
    state: z.string(),
    postcode: z.string(),
    country: z.string(),
  }),
  items: z.array(z.object({ key: z.string(), name: z.string(), quantity: z.number().int() })),
  shipping_rates: z.array(storeRate),
})

export type StorePackageRecord = z.infer<typeof storePackage>

export const storeSelectRateInput = z.object({
  /** Absent: all packages. */
  package_id: z.coerce.number().int().min(0).max(999).nullable().optional(),
  rate_id: z.string().max(100),
})
