import type { z } from 'zod'
import { storeHeaders } from '#contract/cart/store-headers.ts'
import { restHeaders } from '#contract/shared/rest.ts'
import { restPath } from '../../calls/shared/call-routes.ts'
import type { Call, CallDescription, Method } from '../../calls/shared/define-call.ts'
import { type ComponentNames, componentRef, type JsonSchema, jsonSchemaOf, recordOf } from './json-schema.ts'
import { securityOf } from './security-schemes.ts'

export type DescribedCall = Call & { readonly description: CallDescription }

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: JsonSchema
  readonly style?: 'form' | 'deepObject'
  readonly explode?: boolean
}

type Header = { readonly description: string; readonly required?: boolean; readonly schema: JsonSchema }
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>
export type Answer =
  | { readonly $ref: string }
  | { readonly description: string; readonly headers?: Readonly<Record<string, Header>>; readonly content?: Content }

export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
  readonly security: readonly object[]
}

/** Returns the path of a call as in the document: `/wp-json/wc/v3/orders/{id}`. */
export const templateOf = (call: Call): string => restPath(call).replace(/:(\w+)/g, '{$1}')

/**
 * Describes one method of a call. The input of a DELETE request is in its address: some networks drop its body.
 * @param names of the document's components
 */
export function describeCall(call: DescribedCall, method: Method, names: ComponentNames): Operation {
  const { description } = call
  const isRead = method === 'GET' || method === 'DELETE'
  const inAddress = [description.query, isRead ? description.body : undefined]
  const query = inAddress.flatMap((schema) => (schema ? [membersOf(schema, names)] : []))
  const body = isRead ? undefined : description.body
  const members = [...call.name.matchAll(/:(\w+)/g)].map(([, member = '']) => member)
  const known = [...query, ...(body ? [membersOf(body, names)] : [])]
  const inPath = members.map((name): Parameter => {
    const schema = known.map(({ properties }) => properties[name]).find((own) => own !== undefined)
    return { name, in: 'path', required: true, schema: schema ?? idSchema(name, description) }
  })
  const inQuery = query.flatMap(({ properties, required }) =>
    Object.entries(properties).flatMap(([name, schema]): Parameter[] =>
      members.includes(name) ? [] : [queryParameter(name, schema, required.includes(name))],
    ),
  )
  return {
    operationId: operationId(call, method),
    tags: [tagOf(call)],
    summary: description.summary,
    parameters: [...inPath, ...inQuery],
    ...(body ? { requestBody: bodyOf(description, body, members, names) } : {}),
    responses: answersOf(call, method, names),
    security: securityOf(call),
  }
}

/** Returns the group of a call, named after its namespace: `wc/v3 orders`. */
export const tagOf = ({ namespace, description }: DescribedCall): string =>
  `${namespace} ${description.tag.replace(/[/_]/g, ' ')}`

type Members = { readonly properties: Readonly<Record<string, JsonSchema>>; readonly required: readonly string[] }

function membersOf(schema: z.ZodType, names: ComponentNames): Members {
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input', names)
  // Written by the conversion of a schema of an object, which every input is.
  return { properties, required } as Members
}

/** @param name of a member of the path that no schema describes */
function idSchema(name: string, { textPath = [] }: CallDescription): JsonSchema {
  return textPath.includes(name)
    ? { type: 'string', minLength: 1, maxLength: 200 }
    : { type: 'integer', exclusiveMinimum: 0 }
}

function queryParameter(name: string, schema: JsonSchema, required: boolean): Parameter {
  const shared = { name, in: 'query', required, schema } as const
  if (schema.type === 'array') return { ...shared, style: 'form', explode: false }
  return schema.type === 'object' ? { ...shared, style: 'deepObject', explode: true } : shared
}

function bodyOf(
  { bodyTypes = ['application/json'] }: CallDescription,
  body: z.ZodType,
  members: readonly string[],
  names: ComponentNames,
) {
  const schema = jsonSchemaOf(body, 'input', names)
  const { properties, required } = { properties: {}, required: [], ...schema } as Members
  const others = required.filter((name) => !members.includes(name))
  const own = {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !members.includes(name))),
    required: others,
  }
  return {
    required: others.length > 0,
    content: Object.fromEntries(
      bodyTypes.map((type) => [type, { schema: type === 'image/*' ? {} : schema.properties ? own : schema }]),
    ),
  }
}

const text = { type: 'string' } as const
const count = { type: 'integer', minimum: 0 } as const

function answersOf(call: DescribedCall, method: Method, names: ComponentNames): Operation['responses'] {
  const { response, status = 200, failure, query } = call.description
  const isPaged =
    query !== undefined && recordOf(response) !== response && 'per_page' in membersOf(query, names).properties
  const answer = {
    description: 'Success',
    headers: {
      ...(isPaged ? pageHeaders : {}),
      ...(status === 201 ? { Location: { description: 'Address of the new record', schema: text } } : {}),
      ...(call.namespace === 'wc/store/v1' && call.identity === 'own-session' ? cartHeaders : {}),
    },
    content: { 'application/json': { schema: answerSchema(response, names) } },
  }
  return {
    [status]: answer,
    '4XX': failure ? rejection(jsonSchemaOf(failure, 'output', names)) : { $ref: '#/components/responses/Error' },
    ...(method === 'DELETE' ? { 501: { $ref: '#/components/responses/NoTrash' } } : {}),
    500: { $ref: '#/components/responses/Failure' },
    503: { $ref: '#/components/responses/Busy' },
  }
}

const pageHeaders: Readonly<Record<string, Header>> = {
  [restHeaders.total]: { description: 'Number of records on all pages', required: true, schema: count },
  [restHeaders.totalPages]: { description: 'Number of pages', required: true, schema: count },
  Link: { description: 'Addresses of the previous and next page (RFC 8288)', schema: text },
}

const cartHeaders: Readonly<Record<string, Header>> = {
  [storeHeaders.nonce]: { description: 'For the next write of a page with the cookie', required: true, schema: text },
  [storeHeaders.cartToken]: {
    description: 'For the next request of a program without cookies',
    required: true,
    schema: text,
  },
  [storeHeaders.cartHash]: { description: 'Changes with the contents of the cart', schema: text },
}

/** @param other a body beside that of the common error */
function rejection(other: JsonSchema): Answer {
  const schema = { anyOf: [{ $ref: componentRef('Error') }, other] }
  return { description: 'The request was rejected', content: { 'application/json': { schema } } }
}

function answerSchema(response: z.ZodType, names: ComponentNames): JsonSchema {
  const name = names.get(response)
  return name === undefined ? jsonSchemaOf(response, 'output', names) : { $ref: componentRef(name) }
}

/** `get_wc_v3_orders_id`: unique in the document, and a name in the languages of generated clients. */
const operationId = (call: Call, method: Method) =>
  `${method.toLowerCase()}${templateOf(call)
    .replace(/^\/wp-json/, '')
    .replace(/\W+/g, '_')
    .replace(/_$/, '')}`
