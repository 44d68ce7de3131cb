from llmblocks.request.reading.events import Event as Event
from llmblocks.request.reading.events import Media as Media
from llmblocks.request.reading.events import Message as Message
from llmblocks.request.reading.events import MessageEnded as MessageEnded
from llmblocks.request.reading.events import MessageStarted as MessageStarted
from llmblocks.request.reading.events import Text as Text
from llmblocks.request.reading.stream import RequestStream as RequestStream
from llmblocks.request.reading.stream import read_messages as read_messages
