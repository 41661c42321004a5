import {
  type V3CustomerRecord,
  type V3CustomersInput,
  v3CustomerCreate,
  v3CustomerRecord,
  v3CustomersInput,
  v3CustomerUpdate,
  v3Reassign,
} from '#contract/customers/v3-customers.ts'
import { type CustomerRow, findCustomer } from '#database/customers/customers.ts'
import { findCustomerExtras, listRestCustomers, type RestCustomerFilter } from '#database/customers/rest-customers.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { eraseCustomer } from '#shop/customers/erase-customer.ts'
import {
  createProgramCustomer,
  editProgramCustomer,
  type ProgramCustomerRefusal,
} from '#shop/customers/program-customer.ts'
import { restCustomer } from '#shop/customers/rest-customer.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { invalidParam, unknownId, V3Error } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'

/** `wc/v3/customers`: accounts of customers. Staff is listed, and changed by commands only. */
export const v3CustomerCalls = v3Resource({
  path: 'customers',
  title: 'customer',
  item: v3CustomerRecord,
  batch: true,
  list: {
    query: v3CustomersInput,
    async run(context, query) {
      const { tools } = context
      await context.record('customers list', subjectOf(query))
      const offset = query.offset ?? query.per_page * (query.page - 1)
      const page = { limit: query.per_page, offset }
      const { total, customers } = await listRestCustomers(tools.db.kysely, filterOf(query), page)
      return { total, records: await recordsOf(context, customers) }
    },
  },
  async get(context, id: number) {
    const customer = await customerOf(context, id)
    await context.record('customers show', `customer:${id}`)
    return recordOf(context, customer)
  },
  create: {
    input: v3CustomerCreate,
    async run(context, input) {
      const made = await createProgramCustomer(context.tools, input)
      if (!made.ok) throw customerError(made, 'edit')
      await context.record('customers create', `customer:${made.customer.id}`)
      return recordOf(context, made.customer)
    },
  },
  update: {
    input: v3CustomerUpdate,
    async run(context, id, input) {
      const changed = await editProgramCustomer(context.tools, id, input)
      if (!changed.ok) throw customerError(changed, 'edit')
      await context.record('customers update', `customer:${id}`)
      return recordOf(context, changed.customer)
    },
  },
  remove: {
    trash: false,
    async run(context, id) {
      const record = await recordOf(context, await customerOf(context, id))
      const heir = v3Reassign.safeParse(new URL(context.visit.request.url).searchParams.get('reassign'))
      if (!heir.success) throw invalidParam('reassign', 'must be the id of a customer')
      const { data: to = null } = heir
      const erased = await eraseCustomer(context.tools, id, context.caller.who, false, to)
      if (!erased.ok && erased.reason === 'unknown-heir')
        throw new V3Error(400, 'woocommerce_rest_customer_invalid_reassign', 'Invalid resource id for reassignment.')
      if (!erased.ok) throw customerError({ reason: erased.reason === 'staff' ? 'staff' : 'unknown' }, 'delete')
      return record
    },
  },
})

const sequences = { id: 'id', include: 'include', name: 'name', registered_date: 'created' } as const

function filterOf(query: V3CustomersInput): RestCustomerFilter {
  return {
    role: query.role === 'all' ? null : query.role,
    email: query.email === undefined || query.email === '' ? null : emailIdentity(query.email),
    text: query.search,
    include: query.include,
    exclude: query.exclude,
    orderBy: sequences[query.orderby],
    descending: query.order === 'desc',
  }
}

/** Returns the parameters of a list for the access log. */
function subjectOf({ role, page, search, email }: V3CustomersInput): string {
  return `list role=${role} page=${page}${email ? ` email=${email}` : ''}${search && ` search=${search}`}`
}

function customerError(refusal: ProgramCustomerRefusal, action: 'edit' | 'delete'): V3Error {
  switch (refusal.reason) {
    case 'unknown':
      return unknownId('customer')
    case 'staff':
      return new V3Error(
        403,
        `woocommerce_rest_cannot_${action}`,
        'This account belongs to staff: use the command line.',
      )
    case 'invalid':
      return invalidParam(refusal.parameter, refusal.problem)
    case 'email-taken':
      return new V3Error(400, 'registration-error-email-exists', 'An account is already registered with this address.')
    case 'username-taken':
      return new V3Error(400, 'registration-error-username-exists', 'An account has this user name already.')
    case 'username-fixed':
      return new V3Error(400, 'woocommerce_rest_customer_invalid_argument', 'User names cannot be changed.')
    case 'email-invalid':
      return invalidParam('email', 'is not an email address')
    case 'username-invalid':
      return invalidParam('username', 'is not a user name')
    case 'name-too-long':
      return invalidParam('first_name', 'has more than 100 characters')
    case 'password-missing':
    case 'password-short':
      return invalidParam('password', 'is too short')
    case 'password-weak':
    case 'password-known':
      return invalidParam('password', 'is too easy to guess')
  }
}

export async function customerOf({ tools }: V3Context, id: number): Promise<CustomerRow> {
  const customer = await findCustomer(tools.db.kysely, id)
  if (!customer) throw unknownId('customer')
  return customer
}

async function recordOf(context: V3Context, customer: CustomerRow): Promise<V3CustomerRecord> {
  return restCustomer(context.tools, customer, await findCustomerExtras(context.tools.db.kysely, [customer.id]))
}

async function recordsOf({ tools }: V3Context, customers: readonly CustomerRow[]): Promise<V3CustomerRecord[]> {
  const ids = customers.map(({ id }) => id)
  const extras = await findCustomerExtras(tools.db.kysely, ids)
  return customers.map((customer) => restCustomer(tools, customer, extras))
}
