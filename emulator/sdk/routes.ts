import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { issueToken } from '../rest/oauth.ts'
import type { Env } from '../rest/operation.ts'
import { timestamp } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { browserCode } from './browser-code.ts'
import { serveCardFields } from './card-page.ts'
import { serveFastlane } from './fastlane-page.ts'
import { framePage } from './frame-page.ts'
import { messagePage } from './message-page.ts'
import { FUNDING_SOURCES, failureScript, readScriptParameters } from './parameters.ts'
import { serveThreeDSecure } from './threeds-page.ts'

/** Reads like a version 5 to whoever parses it. */
export const SDK_VERSION = '5.0.415-emulator'

const FOLDER = new URL('./browser/', import.meta.url)
const PAGE_FILES = [
  'wire.ts',
  'eligibility.ts',
  'button-options.ts',
  'frame-link.ts',
  'overlay.ts',
  'order-patch.ts',
  'shipping.ts',
  'approval.ts',
  'attempt-tools.ts',
  'attempt.ts',
  'wallet-return.ts',
  'buttons.ts',
  'marks.ts',
  'messages.ts',
  'line.ts',
  'dialog-frame.ts',
  'card-fields-wire.ts',
  'card-frame-rules.ts',
  'card-fields-style.ts',
  'card-fields-submit.ts',
  'card-fields.ts',
  'fastlane-wire.ts',
  'fastlane-part.ts',
  'fastlane.ts',
  'install.ts',
]
const FRAME_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** The v5 script, and the frames in which it draws its buttons and messages. */
export function serveSdk(app: Hono<Env>, world: World): void {
  serveCardFields(app, world)
  serveThreeDSecure(app, world)
  serveFastlane(app, world)
  const pageCode = browserCode(FOLDER, PAGE_FILES)
  const frameCode = browserCode(FOLDER, ['wire.ts', 'frame.ts'])
  const frameStyles = readFileSync(new URL('./frame.css', import.meta.url), 'utf8')
  const isKnownClient = (id: string) => ['sb', 'test', 'sandbox', world.clientId].includes(id)

  app.get('/sdk/js', async (context) => {
    const entry = {
      at: timestamp(world.clock.now()),
      operation: 'sdk.script',
      method: 'GET',
      path: '/sdk/js',
      debugId: world.ids.debug(),
      status: 200,
      durationMs: 0,
    }
    world.log.push(entry)
    const headers = {
      'content-type': 'application/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'cross-origin',
    }
    const fault = world.faults.take('sdk.script', 'GET', '/sdk/js')
    if (fault?.kind === 'delay') await world.sleep(fault.ms)
    if (fault?.kind === 'status') {
      entry.status = fault.status
      return new Response('', { status: fault.status, headers })
    }
    const query = new URL(context.req.url).searchParams
    const read = readScriptParameters(query, isKnownClient)
    if (!read.ok) {
      entry.status = 400
      return context.body(failureScript(read.message, entry.debugId), 400, headers)
    }
    const settings = {
      ...read.settings,
      origin: world.origin,
      version: SDK_VERSION,
      fundingSources: FUNDING_SOURCES,
      eligibility: Object.fromEntries(world.eligibility),
    }
    // "<" is written as an escape, so that the settings cannot end a script they are copied into.
    const json = JSON.stringify(settings).replaceAll('<', '\\u003c')
    return context.body(`(function () {\n'use strict';\n${pageCode}\ninstallSdk(${json});\n})();\n`, 200, headers)
  })

  app.get('/sdk/frame', (context) =>
    context.html(framePage(new URL(context.req.url).searchParams, issueToken(world)), 200, {
      'content-security-policy': FRAME_POLICY,
      'cache-control': 'no-store',
    }),
  )
  const code = `(function () {\n'use strict';\n${frameCode}\nrunFrame(document.body.dataset.token);\n})();\n`
  app.get('/sdk/frame.js', (context) => context.body(code, 200, { 'content-type': 'text/javascript; charset=utf-8' }))
  app.get('/sdk/frame.css', (context) => context.body(frameStyles, 200, { 'content-type': 'text/css; charset=utf-8' }))

  const messageCode = browserCode(FOLDER, ['message-frame.ts'])
  const messageStyles = readFileSync(new URL('./message.css', import.meta.url), 'utf8')
  app.get('/sdk/message', async (context) => {
    const fault = world.faults.take('sdk.message', 'GET', '/sdk/message')
    if (fault?.kind === 'delay') await world.sleep(fault.ms)
    if (fault?.kind === 'status') return new Response('', { status: fault.status })
    return context.html(messagePage(new URL(context.req.url).searchParams), 200, {
      'content-security-policy': FRAME_POLICY,
      'cache-control': 'no-store',
    })
  })
  const message = `(function () {\n'use strict';\n${messageCode}\nrunMessageFrame();\n})();\n`
  app.get('/sdk/message.js', (context) =>
    context.body(message, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  app.get('/sdk/message.css', (context) =>
    context.body(messageStyles, 200, { 'content-type': 'text/css; charset=utf-8' }),
  )
}
