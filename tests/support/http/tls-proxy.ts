import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { sharedCertificate } from '../payments/emulator-certificate.ts'

export type TlsProxy = AsyncDisposable & {
  readonly url: string
  /** Passes on to a shop from now on. @param origin `http://127.0.0.1:12000` */
  passTo(origin: string): void
  close(): Promise<void>
}

/**
 * A proxy that ends https in front of a shop, with a certificate that nobody has signed. It listens before the shop
 * starts, because the shop must know its public address.
 */
export async function aTlsProxy(): Promise<TlsProxy> {
  let shop = ''
  const { privateKey, pem } = await sharedCertificate()
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const server = createServer({ key, cert: pem }, (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers, socket } = incoming
    const passed = request(
      new URL(url, shop),
      { method, headers: { ...headers, 'x-forwarded-for': socket.remoteAddress, 'x-forwarded-proto': 'https' } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    passed.on('error', (error) => outgoing.writeHead(502).end(String(error)))
    incoming.pipe(passed)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // Proof of the cast: a server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return {
    url: `https://127.0.0.1:${port}`,
    passTo: (origin) => {
      shop = origin
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
