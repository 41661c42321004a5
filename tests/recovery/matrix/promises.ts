/** What the shop promises and how that is proven: each is named by its id in the titles of the tests that hold it. */

/** By its id, in a few words. */
export type Named = Readonly<Record<string, string>>

export const promises: Named = {
  P1: 'nobody is charged twice for one wish to pay',
  P2: 'no paid order is lost: where the provider has money, the shop has the order',
  P3: 'nothing that a browser or a stranger sends marks an order as paid',
  P4: 'the last piece is sold once; who comes late learns it first, or gets the money back',
  P5: 'what is shown is charged; what has changed is confirmed anew',
  P6: 'without the provider the shop works, says so within three seconds and offers to try again',
  P7: 'translation, statistics, mail, pictures and search never hold up a purchase',
  P8: 'restart and upgrade under load lose no request',
  P9: 'overloaded, the shop finishes what has begun and tells newcomers when to come again',
  P10: 'a process killed at any instant loses nothing it has acknowledged, and is back within three seconds',
  P11: 'a backup is taken while the shop runs; one command restores it and reports whether it is whole',
  P12: 'card data reaches neither server nor log nor database',
  P13: 'nothing of origin and statistics is kept without consent, and all of it goes when that is taken back',
  P14: 'no script of strangers runs, and an attempt to add one is reported',
  P15: 'personal data is read by its owner, or by staff with the role for it, and every look is logged',
}

export const invariants: Named = {
  I1: 'at most one capture per order, and never more kept than its total',
  I2: 'every capture at the provider belongs to one order and shows there',
  I3: 'paid only after a capture was read that matches in amount, currency, payee, environment and order',
  I4: 'pieces on the shelf, held and sold add up, and none is negative',
  I5: 'no coupon is used more often than it may be',
  I6: 'lines, discounts, shipping and tax add up, here and at the provider',
  I7: 'the amount charged is the one last shown',
  I8: 'the same request under the same key has one effect and one answer',
  I9: 'notifications lead to the same end in whatever order they come',
  I10: 'no answer holds personal data of somebody else',
  I11: 'the ledger is unbroken and gives the tables again',
  I12: 'every order comes to an end, or asks for attention',
  I13: 'one confirmation per paid order',
}

export const threats: Named = {
  T1: 'a wallet order of somebody else',
  T2: 'a payment of less, or in another currency',
  T3: 'a payment from the sandbox or to another merchant',
  T4: 'forged callbacks and statuses',
  T5: 'a kept means of payment of somebody else',
  T6: 'order pages that tell strangers',
  T7: 'parameters, hashes and hidden fields that are believed',
  T8: 'testing of stolen cards',
  T9: 'totals of nothing or less',
  T10: 'objects of others, by their ids',
  T11: 'fields that nobody may set',
  T12: 'finding out who has an account',
  T13: 'links to reset and confirm that leak',
  T14: 'staff without a second factor',
  T15: 'a storefront that writes what others share',
  T16: 'SQL in what is typed',
  T17: 'script in headers that are kept and shown',
  T18: 'translations as a way in',
  T19: 'markup that the browser inserts',
  T20: 'error texts with markup',
  T21: 'redirects to elsewhere',
  T22: 'requests that the server is talked into',
  T23: 'spreadsheets and documents that compute or fetch',
  T24: 'bodies made to break a parser',
  T25: 'files that are not what they seem',
  T26: 'requests from another site in a visitor’s name',
  T27: 'the shop in a frame of others',
  T28: 'foreign script where one pays',
  T29: 'kept answers that reach the wrong visitor',
  T30: 'messages between windows',
  T31: 'sessions that are planted or outlive their end',
  T32: 'trying passwords',
  T33: 'requests that eat resources',
  T34: 'orders that hold stock and are never paid',
  T35: 'floods of counting and of staying online',
  T36: 'dependencies that do more than they say',
  T37: 'secrets where they do not belong',
  T38: 'logs that know too much',
}

type Method = { readonly what: string; readonly change: string; readonly night: string }

/** How it is proven, and how often: at every change, and in a long run. */
export const methods: Readonly<Record<string, Method>> = {
  M1: { what: 'whole shops simulated with faults, by seed', change: '2,000 purchases', night: '100,000 purchases' },
  M2: {
    what: 'planted bugs that the simulator must find',
    change: '20 or more, each within 2,000 purchases',
    night: 'the same',
  },
  M3: { what: 'processes killed at named points and at random', change: '48 points × 2', night: '48 points × 50' },
  M4: { what: 'the database server killed under load', change: '20 kills', night: '500 kills' },
  M5: {
    what: 'networks that delay, cut, hang and garble, in every cell',
    change: 'one test in ten of every file',
    night: 'every cell below',
  },
  M6: { what: 'races for the last piece, a coupon, a button', change: '50 rounds each', night: '1,000 rounds each' },
  M7: { what: 'notifications in every order, doubled', change: 'every order of up to 6', night: 'the same' },
  M8: { what: 'properties of money over generated carts', change: '20,000 carts', night: '1,000,000 carts' },
  M9: { what: 'generated and malformed requests to every route', change: '200 a route', night: '2,000 a route' },
  M10: { what: 'every route, asked by every kind of visitor', change: 'every route × 8', night: 'the same' },
  M11: {
    what: 'script injection in a real browser',
    change: '3,000 at the gate, 360 × all fields',
    night: '3,000 × all fields',
  },
  M12: {
    what: 'redirects and server-side requests led astray',
    change: '1,000 addresses each',
    night: '1,000 addresses each',
  },
  M13: { what: 'load of modelled shoppers', change: '20 shoppers', night: '1,000 shoppers' },
  M14: {
    what: 'overload, slow readers, idle connections',
    change: '400 at once, 1,000 connections',
    night: '60 s, 10,000 connections',
  },
  M15: { what: 'rolling restarts under load', change: '2 restarts', night: '20 restarts' },
  M16: { what: 'backup under load, restored and compared', change: 'identical', night: 'identical' },
  M17: { what: 'a long soak', change: '48 s', night: '8 h' },
  M18: { what: 'canaries searched in logs, bundles and tables', change: '0 found', night: '0 found' },
  M19: { what: 'the table of ASVS 5.0, level 2', change: 'every line', night: 'the same' },
}

/** What need not be named by a test yet, and why. */
export const namedLater: Named = {}
