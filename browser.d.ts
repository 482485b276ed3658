// What the scripts of our pages take for granted, beside what every browser has. Nothing serves this
// file: `deno check` reads it.

// ---- htmx, as far as we use it, and its extension for sockets

interface HtmxDetail {
  elt: HTMLElement;
  target: HTMLElement;
  parameters: Record<string, string>; // of a request that is about to be made
  fragment: DocumentFragment; // of a swap by id
  shouldSwap: boolean;
  isError: boolean;
  serverResponse: string;
  requestConfig: { elt: HTMLElement; verb: string; path: string; formData: Record<string, string> };
  successful: boolean;
  xhr: XMLHttpRequest & { asked: number; began: number; slow: number; isForeign: boolean }; // ours
  message: string; // a frame
  event: CloseEvent;
  socketWrapper: { reconnect(): void };
}

declare const htmx: {
  config: { wsReconnectDelay: () => number };
  createWebSocket(url: string): object;
  ajax(verb: string, path: string, context: object): Promise<void>;
  process(element: Element): void;
  swap(target: string, html: string, how: { swapStyle: string }, options: { select: string }): void;
  trigger(element: Element, event: string): void;
};

// ---- events: those of htmx and ours (docs/browser.md)

interface GlobalEventHandlersEventMap {
  [name: `htmx:${string}`]: CustomEvent<HtmxDetail>;
  "site:banner": CustomEvent<string>;
  "site:say": CustomEvent<string | number>;
}

// On a page an event comes from an element.
type From<Given> = Given & {
  readonly target: Given extends SubmitEvent ? HTMLFormElement : HTMLInputElement;
};
type Listening = boolean | AddEventListenerOptions;

interface Document {
  addEventListener<Name extends keyof DocumentEventMap>(
    name: Name,
    listener: (event: From<DocumentEventMap[Name]>) => unknown,
    options?: Listening,
  ): void;
}
interface Window {
  addEventListener<Name extends keyof WindowEventMap>(
    name: Name,
    listener: (event: From<WindowEventMap[Name]>) => unknown,
    options?: Listening,
  ): void;
  htmx?: typeof htmx;
}
declare function addEventListener<Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: From<WindowEventMap[Name]>) => unknown,
  options?: Listening,
): void;
interface HTMLElement {
  addEventListener<Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: From<HTMLElementEventMap[Name]>) => unknown,
    options?: Listening,
  ): void;
}

// ---- elements, by the selector that finds them

interface Known {
  "#ask": HTMLFormElement & { readonly elements: { readonly moment: HTMLInputElement } };
  "#cover": HTMLButtonElement;
  "#failures": HTMLTemplateElement;
  "#guest-name": HTMLInputElement;
  "#notify": HTMLButtonElement;
  "#quantity": HTMLInputElement;
  "#replay-at": HTMLInputElement;
  "#say-text": HTMLTextAreaElement;
  "#share": HTMLInputElement;
  "#sound": HTMLButtonElement;
  "#story": HTMLDetailsElement;
  "#talk-panel": HTMLDetailsElement;
  "#try-again": HTMLFormElement;
  "#unsent": HTMLTemplateElement;
  "#volume": HTMLLabelElement & { readonly control: HTMLInputElement };
  ".speed": HTMLButtonElement;
  [judgement: `#judgement-${number}`]: HTMLTemplateElement;
}
type Tags = HTMLElementTagNameMap & Omit<SVGElementTagNameMap, keyof HTMLElementTagNameMap>;
// The element of `input:checked`.
type Start<Selector> = Selector extends `${infer Before}:${string}` ? Start<Before>
  : Selector extends `${infer Before}[${string}` ? Start<Before>
  : Selector extends `${infer Before}.${string}` ? Start<Before>
  : Selector;
// Of a selector that is put together nothing is known; of `.hand input` the last word tells it.
type Found<Selector> = string extends Selector ? any
  : Selector extends keyof Known ? Known[Selector]
  : Selector extends keyof Tags ? Tags[Selector]
  : Start<Selector> extends keyof Tags ? Tags[Start<Selector>]
  : Selector extends `[name${string}` ? HTMLInputElement
  : Selector extends `${string}, ${string}` ? HTMLElement
  : Selector extends `${string} ${infer Last}` ? Found<Last>
  : HTMLElement;
type Find = <Selector extends string>(selector: Selector, within?: ParentNode) => Found<Selector> | null;
type FindAll = <Selector extends string>(selector: Selector, within?: ParentNode) => Found<Selector>[];

interface ParentNode {
  querySelector<Selector extends string>(selector: Selector): Found<Selector> | null;
  querySelectorAll<Selector extends string>(selector: Selector): NodeListOf<Found<Selector>>;
}
interface Document {
  readonly activeElement: HTMLInputElement | null;
  getElementById<Id extends string>(id: Id): (string extends Id ? any : Found<`#${Id}`>) | null;
}
// HTML or SVG, as every element of ours.
interface Element {
  readonly dataset: DOMStringMap;
  closest<Selector extends string>(selector: Selector): Found<Selector> | null;
  focus(options?: FocusOptions): void;
  setAttribute(name: string, value: string | number | boolean): void;
}

// ---- what else browsers have, or take

interface Animation {
  readonly animationName?: string; // of those from a style sheet
}
interface Navigator {
  readonly connection?: EventTarget;
  readonly standalone?: boolean; // Safari, from the home screen
}
interface NotificationOptions {
  renotify?: boolean;
}
interface Performance {
  getEntriesByType(type: "navigation"): PerformanceNavigationTiming[];
}
interface URLSearchParams {
  set(name: string, value: string | number): void;
}
