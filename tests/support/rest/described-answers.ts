import type { AnySchema, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { expect } from 'vitest'
import { overridableMethods, restHeaders } from '#contract/shared/rest.ts'
import { calls } from '#server/calls/shared/call-routes.ts'
import type { App } from '#server/http/app.ts'
import type { Operation } from '#server/rest/openapi/describe-call.ts'
import { openApiDocument } from '#server/rest/openapi/openapi-document.ts'
import { plainRestPath } from '#server/rest/rest-path.ts'

/** The description that answers are checked against, made once per worker. */
let made: ReturnType<typeof describedRoutes> | undefined
export const described = () => {
  made ??= describedRoutes()
  return made
}

type Route = {
  readonly template: string
  readonly pattern: RegExp
  readonly operations: Readonly<Record<string, Operation>>
}

function describedRoutes() {
  const document = openApiDocument(calls, { name: 'Test shop', publicUrl: 'https://shop.example' })
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  // The package's types describe its CommonJS form; Node hands out the function itself.
  const addFormats = ajvFormats as unknown as (to: Ajv2020) => void
  addFormats(ajv)
  ajv.addSchema({ ...document, $id: 'openapi' } as AnySchema)
  // A fixed path precedes one with a member in its place.
  const routes = Object.entries(document.paths)
    .map(([template, operations]): Route => {
      const pattern = new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
      return { template, pattern, operations }
    })
    .toSorted((one, other) => membersIn(one) - membersIn(other))
  const validators = new Map<string, ValidateFunction>()
  return {
    document,
    routeOf: (path: string) => routes.find(({ pattern }) => pattern.test(path)),
    /** @param isPart whether members may be missing, because `_fields` left them out */
    validatorOf(schema: unknown, isPart: boolean): ValidateFunction {
      const key = JSON.stringify([isPart, schema])
      const known = validators.get(key)
      if (known) return known
      const whole = isPart ? partial(inlined(schema, document.components.schemas)) : withBase(schema)
      const validate = ajv.compile(whole as AnySchema)
      validators.set(key, validate)
      return validate
    },
  }
}

const membersIn = ({ template }: Route) => template.split('{').length

/** References of the document, from a schema that stands alone. */
function withBase(value: unknown): unknown {
  return mapped(value, (member, inner) => (member === '$ref' ? `openapi${String(inner)}` : withBase(inner)))
}

function inlined(value: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'object' && value !== null && '$ref' in value) {
    return inlined(schemas[String(value.$ref).split('/').at(-1) ?? ''], schemas)
  }
  return mapped(value, (_, inner) => inlined(inner, schemas))
}

function partial(value: unknown): unknown {
  return mapped(value, (member, inner) => (member === 'required' && Array.isArray(inner) ? [] : partial(inner)))
}

function mapped(value: unknown, map: (member: string, inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => map('', inner))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]: [string, unknown]) => [member, map(member, inner)]),
  )
}

type Asked = Pick<Request, 'method' | 'url' | 'headers'>

/** Returns the description of a request; undefined for a route that is not described. */
function operationOf({ method, url, headers }: Asked): Operation | undefined {
  const { pathname, search } = new URL(url)
  const path = plainRestPath(pathname, search) ?? pathname
  return isOfApi(path) ? described().routeOf(path)?.operations[methodOf(method, headers)] : undefined
}

const isOfApi = (path: string) => path.startsWith('/wp-json/') || path.startsWith('/api/')

/**
 * Compares an answer with the description of its route: status, content type, headers and each member of the body.
 * @returns the first faults; none for a route that is not described
 */
export function faultsOf(asked: Asked, answer: Pick<Response, 'status' | 'headers'>, body: string): string[] {
  const operation = operationOf(asked)
  return operation ? faultsIn(operation, asked, answer, body) : []
}

function faultsIn(
  { responses }: Operation,
  { url }: Asked,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: string,
): string[] {
  // A load ahead of the visitor is refused before any route answers.
  if (status === 503 && body === '') return []
  const { document, validatorOf } = described()
  const given = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
  if (!given) return [`status ${status} is not described: ${body.slice(0, 300)}`]
  const answer = '$ref' in given ? document.components.responses[given.$ref.split('/').at(-1) ?? ''] : given
  const { headers: promised = {}, content = {} } = Object(answer)
  const faults = Object.entries<{ required?: boolean }>(promised)
    .filter(([name, { required }]) => required && !headers.has(name))
    .map(([name]) => `header ${name} is missing`)
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
  const schema = content[type]?.schema
  if (!schema) return [...faults, `content type "${type}" is not described: ${body.slice(0, 300)}`]
  // `_fields=id`, `_fields[]=id`, `_fields[0]=id`
  const isPart = [...new URL(url).searchParams.keys()].some((name) => /^_fields(?:\[|$)/.test(name))
  const validate = validatorOf(schema, status < 300 && isPart)
  if (validate(JSON.parse(body))) return faults
  const found = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `body${instancePath} ${message} ${JSON.stringify(params)}`,
  )
  return [...faults, ...new Set(found)].slice(0, 8)
}

function methodOf(method: string, headers: Headers): string {
  const named = headers.get(restHeaders.methodOverride)?.toUpperCase() ?? ''
  return (method === 'POST' && overridableMethods.has(named) ? named : method).toLowerCase()
}

/**
 * Checks every answer of a described route. `report` throws if one was not as described: a test's shop calls it when it
 * closes, so that the file fails even if its tests never looked at the answer.
 */
export function answerChecks(): { wrap: (app: App) => App; report: () => void } {
  const faults: string[] = []
  return {
    wrap: (app) => async (request, facts) => {
      const response = await app(request, facts)
      const operation = request.method === 'HEAD' ? undefined : operationOf(request)
      if (!operation) return response
      const body = await response.text()
      const found = faultsIn(operation, request, response, body)
      if (found.length > 0 && faults.length < 10) {
        const { pathname } = new URL(request.url)
        const test = expect.getState().currentTestName ?? 'preparation'
        faults.push(`${request.method} ${pathname} (${response.status}), in "${test}":\n  ${found.join('\n  ')}`)
      }
      return new Response(body, { status: response.status, headers: response.headers })
    },
    report: () => {
      if (faults.length === 0) return
      throw new Error(`answers that are not as described (/wp-json/openapi.json):\n${faults.splice(0).join('\n')}`)
    },
  }
}
