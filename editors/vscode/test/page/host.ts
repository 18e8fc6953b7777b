/** The pure parts of the host, bundled for the tests of the page: what the page is sent there is what it is sent in VS Code. */
export { Conversation } from "../../src/panel/conversation";
export { pageHtml } from "../../src/panel/html";
export { FIRST_ITEMS, MORE_ITEMS } from "../../src/panel/limits";
export { parse } from "../../src/panel/messages";
export { questionView } from "../../src/panel/question";
