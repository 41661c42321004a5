/** A failed operation of REST v3, answered in the format of the interface. */
export class V3Error extends Error {
  readonly status: number
  readonly code: string
  readonly params: Readonly<Record<string, unknown>> | undefined
  readonly details: Readonly<Record<string, unknown>>

  /**
   * @param code `woocommerce_rest_product_invalid_id`
   * @param params faults by parameter, for `data.params`
   * @param details further members of `data`: `{ resource_id: 12 }`
   */
  constructor(
    status: number,
    code: string,
    message: string,
    params?: Readonly<Record<string, unknown>>,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.params = params
    this.details = details
  }

  /** The error as the interface writes it, also in the place of a batch's element. */
  get body() {
    const { status, code, message, params, details } = this
    return { code, message, data: { status, ...(params ? { params } : {}), ...details } }
  }
}

/** @param noun of the resource: `product`, `shop_order` */
export const unknownId = (noun: string, message = 'Invalid ID.') =>
  new V3Error(404, `woocommerce_rest_${noun}_invalid_id`, message)

/** Returns an error for a parameter that its schema accepts and the shop's rules reject. */
export const invalidParam = (name: string, problem: string) =>
  new V3Error(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`, { [name]: problem })
